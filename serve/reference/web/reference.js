// Shows the API's description with Scalar. Every address is relative to the page's own, so that all that is tried there
// asks the server that sent the page, whatever stands between.
const home = new URL(".", location.href).href.replace(/\/$/, "");
const loaded = new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));

// Scalar checks its settings with code that it would compile itself, which the page's policy forbids.
globalThis.__zod_globalConfig = { jitless: true };

show().catch((problem) => {
  const text = document.querySelector("#trouble");
  text.textContent = `The description of the API could not be read: ${problem.message}. Is the server still there? Reload the page to try again.`;
  text.hidden = false;
});

async function show() {
  const answer = await fetch(`${home}/v1/openapi.json`);
  if (!answer.ok) throw new Error(`the answer was ${answer.status}`);
  const description = await answer.json();
  description.servers = [{ url: home, description: "The server of this page." }];
  forTrying(description);
  await loaded;
  Scalar.createApiReference("#reference", {
    content: description,
    authentication: { preferredSecurityScheme: "apiKey" },
    persistAuth: false, // a key is forgotten with the page
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: "none", // the page's own head has it
    defaultOpenAllTags: true,
    modelsSectionLabel: "Schemas",
    orderSchemaPropertiesBy: "preserve",
    orderRequiredPropertiesFirst: false,
  });
}

// Scalar's buttons that copy a piece of code have a picture and no name.
new MutationObserver(() => {
  for (const button of document.querySelectorAll("button.group\\/copy-button:not([aria-label])")) button.ariaLabel = "Copy";
}).observe(document.documentElement, { childList: true, subtree: true });

// forTrying leaves out, until somebody ticks them, the examples of parameters that a request does not need: together they
// contradict each other.
function forTrying({ paths, components }) {
  const parameters = Object.values(paths).flatMap((path) => path.get.parameters ?? []);
  for (const p of [...parameters, ...Object.values(components.parameters)]) {
    if (!("example" in p)) continue; // a reference, or a value that goes without saying
    p.examples = { default: { value: p.example, "x-disabled": !p.required && p.name !== "q" } };
    delete p.example;
  }
}
