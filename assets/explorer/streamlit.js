// Any of the views as a component of Streamlit: the only file that knows Streamlit.

/**
 * The renderer of a component.
 * @param {(parent: Element, tell: (value: unknown) => void) =>
 *   {update: (data: object) => void, destroy: () => void}} mount puts a view into an element
 * @param {string} [state] where the component keeps what the view tells
 */
export function component(mount, state) {
  // Streamlit calls the renderer again at every change; each element keeps its one view.
  const mounted = new WeakMap();

  return function render({ data, parentElement, setStateValue }) {
    if (!mounted.has(parentElement)) mounted.set(parentElement, start(parentElement));
    const place = mounted.get(parentElement);
    place.set = setStateValue;
    place.view.update(data);
    return () => {
      place.view.destroy();
      mounted.delete(parentElement);
    };
  };

  function start(parentElement) {
    const place = {};
    place.view = mount(parentElement, (value) => place.set(state, value));
    return place;
  }
}
