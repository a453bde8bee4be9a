// This script runs before the page's own scripts and records when results are drawn. first is the time of the first page of
// results, in ms since the navigation. times contains the times from key events to their results.
globalThis.drawn = (() => {
  const answers = new Map(); // from a text to the slug of the first product, or to null
  const state = { first: 0, times: [], settled: () => !key };
  let key = null; // the newest key whose result is not drawn yet: {at, text}

  // Calls then after the next frame, which shows the current content of the page.
  const painted = (then) =>
    requestAnimationFrame(() => {
      const behind = new MessageChannel();
      behind.port1.onmessage = () => then(performance.now());
      behind.port2.postMessage(null);
    });

  const shown = () => {
    const link = document.querySelector("main a[href*='/products/']");
    return link && decodeURIComponent(new URL(link.href).pathname.split("/").pop());
  };

  const look = () => {
    if (!state.first && shown()) {
      state.first = -1;
      painted((now) => (state.first = now));
    }
    if (key && answers.has(key.text) && answers.get(key.text) === shown()) {
      const { at } = key;
      key.text = undefined; // the result is no longer expected
      painted((now) => {
        state.times.push(now - at);
        key = null;
      });
    }
  };

  let asked = ""; // the previous text
  const typed = (event) => {
    const text = event.target.value.trim();
    if (text === asked) return; // blanks at the ends change nothing
    asked = text;
    key = { at: event.timeStamp, text };
  };
  addEventListener("input", typed, true);
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  const ask = fetch;
  globalThis.fetch = async (...args) => {
    const answer = await ask(...args);
    const address = new URL(args[0].url ?? args[0], document.baseURI);
    if (answer.ok && address.pathname.endsWith("/public/search")) {
      const note = (body) => {
        answers.set(address.searchParams.get("q")?.trim() ?? "", body.products[0]?.slug ?? null);
        queueMicrotask(look);
      };
      const { text, json } = answer;
      answer.text = () => text.call(answer).then((body) => (note(JSON.parse(body)), body));
      answer.json = () => json.call(answer).then((body) => (note(body), body));
    }
    return answer;
  };
  return state;
})();
