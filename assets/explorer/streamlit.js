// The explorer as a Streamlit component: its only contact with Streamlit.

import { mountExplorer } from "./explorer.js";

/** Streamlit calls the renderer again at every change; each place keeps its one explorer. */
const mounted = new WeakMap();

export default function render({ data, parentElement, setStateValue }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, mount(parentElement));
  const place = mounted.get(parentElement);
  place.send = (choice) => setStateValue("choice", choice);
  feed(place, data);
  return () => {
    place.explorer.destroy();
    mounted.delete(parentElement);
  };
}

function mount(parentElement) {
  const place = { holds: null };
  // The server need not send the tables again that are here.
  place.explorer = mountExplorer(parentElement, (choice) =>
    place.send({ ...choice, holds: place.holds }),
  );
  return place;
}

function feed(place, data) {
  if (data.models) place.holds = data.key;
  if (data.key === place.holds) place.explorer.update(data);
  else place.send({ holds: null });
}
