// The threshold explorer of a report, fed from the data block beside it; there is no server.

const held = document.getElementById("explored");
const place = document.getElementById("explorer");
place.replaceChildren();
mount(place).update(JSON.parse(held.textContent));
// The report has a heading of its own.
place.querySelector("h1").setAttribute("aria-level", "3");
