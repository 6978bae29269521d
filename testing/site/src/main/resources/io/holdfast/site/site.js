(() => {
  const self = document.currentScript;
  const root = self.dataset.root;
  const lang = self.dataset.lang;

  const stored = (() => { try { return localStorage.getItem("theme"); } catch (e) { return null; } })();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = theme => { document.documentElement.dataset.theme = theme; };
  show(stored || (dark.matches ? "dark" : "light"));

  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").onclick = () => {
      const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      show(next);
      try { localStorage.setItem("theme", next); } catch (e) { /* then it is for this page only */ }
    };
    if (matchMedia("(max-width: 48rem)").matches) document.querySelector(".menu").open = false;

    const box = document.getElementById("search");
    const found = document.getElementById("found");
    let at = -1;

    const load = () => {
      if (document.getElementById("index")) return;
      const script = document.createElement("script");
      script.id = "index";
      script.src = root + "search-" + lang + ".js";
      script.onload = search;
      document.head.append(script);
    };

    // All words must be there; in a title they count most, in a heading more than in the text.
    const score = (entry, words) => {
      let sum = 0;
      for (const word of words) {
        const inTitle = entry[1].toLowerCase().includes(word), inHeading = entry[2].toLowerCase().includes(word);
        const inText = entry[3].toLowerCase().includes(word);
        if (!inTitle && !inHeading && !inText) return 0;
        sum += (inTitle ? 6 : 0) + (inHeading ? 4 : 0) + (inText ? 1 : 0);
      }
      return sum - (entry[0].includes("/decisions/") || entry[0].includes("/evidence/") ? 3 : 0) + 4;
    };

    const search = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      const index = window.holdfastIndex || [];
      const best = words.length === 0 ? [] : index.map(entry => [score(entry, words), entry])
          .filter(each => each[0] > 0).sort((a, b) => b[0] - a[0]).slice(0, 12);
      found.replaceChildren(...best.map(([, entry]) => {
        const link = document.createElement("a");
        link.href = root + entry[0];
        link.textContent = entry[2] ? entry[1] + " › " + entry[2] : entry[1];
        const near = Math.max(0, entry[3].toLowerCase().indexOf(words[0]) - 40);
        const text = document.createElement("small");
        text.textContent = entry[3].slice(near, near + 160);
        link.append(text);
        return link;
      }));
      found.hidden = best.length === 0;
      at = -1;
    };

    box.onfocus = load;
    box.oninput = search;
    addEventListener("keydown", event => {
      if (event.key === "/" && document.activeElement !== box) { event.preventDefault(); box.focus(); }
      if (event.key === "Escape") { found.hidden = true; box.blur(); }
      if (document.activeElement === box && !found.hidden) {
        const links = [...found.children];
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          event.preventDefault();
          at = (at + (event.key === "ArrowDown" ? 1 : links.length - 1) + (at < 0 && event.key === "ArrowUp" ? 1 : 0)) % links.length;
          links.forEach((link, i) => link.classList.toggle("at", i === at));
        }
        if (event.key === "Enter") location.href = links[Math.max(0, at)].href;
      }
    });
    addEventListener("click", event => { if (!found.contains(event.target) && event.target !== box) found.hidden = true; });
  });
})();
