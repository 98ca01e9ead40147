"use strict";
// A click on the head of a column sorts its table: numbers from the greatest on, texts by name; a second click the other way
// round.
for (const button of document.querySelectorAll("thead button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th");
    const body = head.closest("table").tBodies[0];
    const column = head.cellIndex;
    const value = (row) => {
      const cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
    };
    const rows = [...body.rows];
    const sorted = head.getAttribute("aria-sort");
    const ascends = sorted ? sorted === "descending" : rows.every((row) => typeof value(row) === "string");
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", ascends ? "ascending" : "descending");
    const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
    rows.sort((a, b) => order(value(a), value(b)) * (ascends ? 1 : -1));
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
