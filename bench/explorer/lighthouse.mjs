// Prints the Lighthouse scores of the explorer's pages, and appends the lowest score of each category to a
// results file: node lighthouse.mjs SABINE RESULTS. Lighthouse simulates a phone with a slow network and a
// processor that is four times slower.
import { execSync, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import lighthouse from "lighthouse";
import { launch } from "chrome-launcher";

const paths = [
  "/",
  "/products/akustikpaneel-fichte-40",
  "/compare?id=akustikpaneel-fichte-40,beton-glatt",
  "/room?volume=180&surface=akustikpaneel-fichte-40:40&surface=beton-glatt:160&target=din18041:A3",
];
const folder = mkdtempSync(join(tmpdir(), "sabine-lighthouse"));
const server = spawn(
  resolve(process.argv[2]),
  ["serve", "--sample", "--public-detail", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", "--public-limit", "1000000/1m"],
  { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
);
let browser;
try {
  const site = await new Promise((started, failed) => {
    server.once("exit", (status) => failed(new Error(`sabine ended with status ${status}`)));
    createInterface(server.stderr).on("line", (line) => {
      if (line.includes('"msg":"serving"')) started(new URL(JSON.parse(line).api).origin);
    });
  });
  browser = await launch({
    chromePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
    logLevel: "error",
  });
  const lowest = {};
  for (const path of paths) {
    const { lhr } = await lighthouse(site + path, { port: browser.port, logLevel: "error", output: "json" });
    const scores = Object.values(lhr.categories).map((c) => `${c.title} ${Math.round(100 * c.score)}`);
    console.log(`${path}: ${scores.join(", ")}`);
    for (const c of Object.values(lhr.categories)) lowest[c.title] = Math.min(lowest[c.title] ?? 100, Math.round(100 * c.score));
    for (const c of Object.values(lhr.categories)) {
      for (const { id, weight } of c.auditRefs) {
        const { score, title, displayValue = "" } = lhr.audits[id];
        if (weight > 0 && score !== null && score < 0.9) console.log(`  ${c.title}: ${title} ${displayValue}`);
      }
    }
  }
  const commit = execSync("git describe --always --dirty --exclude='*' --abbrev=12", { encoding: "utf8" }).trim();
  for (const [title, score] of Object.entries(lowest)) {
    const line = { suite: "explorer", class: `Lighthouse: ${title}`, date: new Date().toISOString(), commit, score };
    appendFileSync(process.argv[3], JSON.stringify(line) + "\n");
  }
} finally {
  await browser?.kill();
  server.removeAllListeners("exit");
  const ended = new Promise((done) => server.once("exit", done));
  if (server.kill()) await ended;
  rmSync(folder, { recursive: true });
}
