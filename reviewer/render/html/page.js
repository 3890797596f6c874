"use strict";
(() => {
  const form = document.querySelector(".filters");
  const status = form.querySelector("[role=status]");
  const findings = [...document.querySelectorAll("#findings .finding")].map((item) => ({
    item,
    section: item.closest(".section").dataset.section,
    text: null,
    ...item.dataset,
  }));
  const boxes = (name) => [...form.querySelectorAll(`[name=${name}]`)];
  const ticked = (name) => boxes(name).filter((box) => box.checked).map((box) => box.value);
  const said = (each) => (each.text ??= `${each.item.textContent} ${each.item.closest(".rule").querySelector("summary").textContent}`.toLowerCase());

  function chosen() {
    const severities = ticked("severity"), statuses = ticked("status"), introduced = ticked("change").length > 0;
    const { section, tool, text } = form.elements;
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    return (each) =>
      severities.includes(each.severity) &&
      (boxes("status").length === 0 || statuses.includes(each.status)) &&
      (!introduced || each.change === "introduced") &&
      (section.value === "" || each.section === section.value) &&
      (tool.value === "" || each.tool === tool.value) &&
      words.every((word) => said(each).includes(word));
  }

  function narrowed() {
    const { section, tool, text } = form.elements;
    return Boolean(section.value || tool.value || text.value.trim() || ticked("change").length || boxes("severity").some((box) => !box.checked));
  }

  function apply() {
    const keeps = chosen(), active = narrowed();
    const kept = new Set();
    let count = 0;
    for (const each of findings) {
      const shows = keeps(each);
      each.item.hidden = !shows;
      if (!shows) continue;
      count += 1;
      kept.add(each.item.closest(".rule")).add(each.item.closest(".section"));
    }
    for (const rule of document.querySelectorAll("#findings .rule")) rule.hidden = !kept.has(rule);
    for (const section of document.querySelectorAll("#findings > .section")) section.hidden = active && !kept.has(section);
    form.classList.toggle("active", active);
    const all = findings.length;
    status.textContent = `${count.toLocaleString("en")} of ${all.toLocaleString("en")} finding${all === 1 ? "" : "s"} shown`;
  }

  let waiting = 0;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  };
  form.addEventListener("input", (event) => (event.target.name === "text" ? soon() : apply()));
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  // A link to a section or finding that a filter hides leads nowhere, so it takes the filter away.
  const reveal = () => {
    const goal = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!goal?.closest("[hidden]")) return;
    form.reset();
    for (const box of boxes("status")) box.checked = true;
    apply();
    goal.scrollIntoView();
  };
  addEventListener("hashchange", reveal);

  if (findings.length > 0) {
    form.hidden = false;
    apply();
    reveal();
  }
  // Browsers that cannot unfold by style alone when they print.
  addEventListener("beforeprint", () => document.querySelectorAll("details:not([open])").forEach((each) => each.setAttribute("open", "print")));
  addEventListener("afterprint", () => document.querySelectorAll("details[open=print]").forEach((each) => each.removeAttribute("open")));
})();
