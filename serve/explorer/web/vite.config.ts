import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The pages work under any prefix that a proxy gives them: every address in what is built is relative, and the server puts the
// way to the root in front of those of index.html.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    license: { fileName: "licences.md" }, // of what is bundled
    assetsInlineLimit: 0, // the Content-Security-Policy takes nothing inline
    target: "es2022",
    modulePreload: { polyfill: false },
  },
});
