"use strict";
// A click on the head of a column sorts its table: numbers by value, texts by name; a second click the other way round.
for (const button of document.querySelectorAll("thead button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th");
    const body = head.closest("table").tBodies[0];
    const column = head.cellIndex;
    const down = head.getAttribute("aria-sort") !== "descending";
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => {
      const cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
    };
    const order = (a, b) => (typeof a === "number" && typeof b === "number" ? b - a : String(a).localeCompare(String(b)));
    const rows = [...body.rows].sort((a, b) => order(value(a), value(b)) * (down ? 1 : -1));
    body.append(...rows);
  });
}
// A block and its place in the markup are marked together; a click brings the other one into view.
const sides = (target) => {
  const own = target instanceof Element ? target.closest("[data-block]") : null;
  return own ? [own, ...document.querySelectorAll(`[data-block="${own.dataset.block}"]`)] : [];
};
const light = (event) => {
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  for (const side of sides(event.target)) side.classList.add("lit");
};
document.addEventListener("mouseover", light);
document.addEventListener("focusin", light);
document.addEventListener("click", (event) => {
  const [own, ...all] = sides(event.target);
  const other = all.find((side) => side !== own);
  if (other) other.scrollIntoView({ block: "center" });
});
