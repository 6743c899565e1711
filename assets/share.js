// The address of a view, ready to be copied: also where the page came without encryption, and a
// browser keeps its newer way of copying to itself.

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".share") ?? parentElement.appendChild(made());
  place.querySelector("input").value = data.address;
  return () => place.remove();
}

function made() {
  const place = document.createElement("div");
  place.className = "share";
  const box = document.createElement("input");
  box.readOnly = true;
  box.setAttribute("aria-label", "Address of this view");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  box.addEventListener("focus", () => box.select());
  button.addEventListener("click", () => {
    box.focus();
    box.select();
    said.textContent = document.execCommand("copy") ? "Copied." : "Press Ctrl+C to copy.";
  });
  place.append(box, button, said);
  return place;
}
