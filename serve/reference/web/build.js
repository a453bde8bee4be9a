// Writes ../dist: Scalar's unmodified standalone build, the page's script and style, and the licences of all packages in
// Scalar's build.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const dist = "../dist";
const standalone = "node_modules/@scalar/api-reference/dist/browser/standalone.js";

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
copyFileSync(standalone, `${dist}/scalar.js`);
copyFileSync("reference.js", `${dist}/reference.js`);
copyFileSync("reference.css", `${dist}/reference.css`);
writeFileSync(`${dist}/licences.txt`, licences());

// licences returns the licences of all packages in Scalar's build. Packages with the same licence text are listed together.
function licences() {
  const packages = new Map(); // package names by licence text
  for (const name of bundled()) {
    const text = licence(name);
    packages.set(text, [...(packages.get(text) ?? []), name]);
  }
  const parts = ["The API reference uses Scalar. Its build contains code of the packages below, each under the licence below its name.\n"];
  for (const [text, names] of packages) parts.push(`${names.join(", ")}\n\n${text}\n`);
  return parts.join(`\n${"-".repeat(80)}\n\n`);
}

// bundled returns the sorted names of the packages in Scalar's build, from its source map. Scalar's own packages are
// folders next to each other in its source.
function bundled() {
  const { sources } = JSON.parse(readFileSync(`${standalone}.map`, "utf8"));
  const names = sources.map((source) => {
    const installed = [...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1);
    return installed ? installed[1] : `@scalar/${source.match(/^\.\.\/\.\.\/\.\.\/([^/.]+)\//)?.[1] ?? "api-reference"}`;
  });
  return [...new Set(names)].sort();
}

// licence returns the licence text of a package. Some packages name the MIT licence without including its text.
function licence(name) {
  const folder = `node_modules/${name}`;
  const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  if (file) return tidy(readFileSync(`${folder}/${file}`, "utf8"));
  const { license, author } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  if (license !== "MIT") throw new Error(`${name} has the licence ${license}, but not its text`);
  const scalar = tidy(readFileSync("node_modules/@scalar/types/LICENSE", "utf8"));
  if (name.startsWith("@scalar/")) return scalar;
  const holder = author?.name ?? author ?? `the authors of ${name}`;
  return scalar.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}

function tidy(text) {
  return text.replaceAll("\r\n", "\n").trim();
}
