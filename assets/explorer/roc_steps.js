// The lesson "ROC step by step" as a Streamlit component.

import { mountLesson } from "./lesson.js";

const mounted = new WeakMap();

export default function render({ data, parentElement, setStateValue }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, mount(parentElement));
  const place = mounted.get(parentElement);
  place.tell = (step) => setStateValue("step", step);
  place.lesson.update(data);
  return () => {
    place.lesson.destroy();
    mounted.delete(parentElement);
  };
}

function mount(parentElement) {
  const place = {};
  place.lesson = mountLesson(parentElement, (step) => place.tell(step));
  return place;
}
