// Shows the OpenAPI document with Scalar. All addresses are relative to the page, so that requests go to the server that
// sent the page, also behind a proxy.
const home = new URL(".", location.href).href.replace(/\/$/, "");
const loaded = new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));

// By default, Scalar compiles the code that checks its settings at run time, which the page's policy forbids.
globalThis.__zod_globalConfig = { jitless: true };

show().catch((problem) => {
  const text = document.querySelector("#trouble");
  text.textContent = `The OpenAPI document could not be loaded: ${problem.message}. Check that the server is running, then reload the page.`;
  text.hidden = false;
});

async function show() {
  const answer = await fetch(`${home}/v1/openapi.json`);
  if (!answer.ok) throw new Error(`the status is ${answer.status}`);
  const description = await answer.json();
  description.servers = [{ url: home, description: "The server of this page." }];
  forTrying(description);
  await loaded;
  Scalar.createApiReference("#reference", {
    content: description,
    authentication: { preferredSecurityScheme: "apiKey" },
    persistAuth: false, // keys are not stored
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: "none", // the head of the page has a link
    defaultOpenAllTags: true,
    modelsSectionLabel: "Schemas",
    orderSchemaPropertiesBy: "preserve",
    orderRequiredPropertiesFirst: false,
  });
}

// Scalar's buttons that copy code have an icon but no accessible name.
new MutationObserver(() => {
  for (const button of document.querySelectorAll("button.group\\/copy-button:not([aria-label])")) button.ariaLabel = "Copy";
}).observe(document.documentElement, { childList: true, subtree: true });

// forTrying disables the examples of optional parameters until the user selects them, because they contradict each other.
function forTrying({ paths, components }) {
  const parameters = Object.values(paths).flatMap((path) => path.get.parameters ?? []);
  for (const p of [...parameters, ...Object.values(components.parameters)]) {
    if (!("example" in p)) continue; // a reference, or a parameter without an example
    p.examples = { default: { value: p.example, "x-disabled": !p.required && p.name !== "q" } };
    delete p.example;
  }
}
