// What is to be read above the fold, in shadow trees too: texts, boxes, cells of tables. A canvas
// holds its cells as a table for screen readers, in which they stand in their order.
() => {
    const ROW = 33; // pixels of a row on a canvas
    const UNREAD = [
        '[data-testid="stIconMaterial"]',
        "details:not([open]) > :not(summary)",
        "svg",
        ".ends", // the scale of the slider
        ".katex-mathml", // a formula, said again for screen readers
    ].join();
    const seen = { visibilityProperty: true, opacityProperty: true };
    const isAbove = ({ width, height, top, bottom }) =>
        width > 1 && height > 1 && bottom > 0 && top < innerHeight;
    const texts = [];

    function ofText(node) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const parent = node.parentElement ?? node.getRootNode().host;
        if (!isAbove(range.getBoundingClientRect())) return "";
        return parent.closest(UNREAD) || !parent.checkVisibility(seen) ? "" : node.textContent;
    }

    function ofElement(node) {
        if (node.matches("input:not([type=range], [type=checkbox]), textarea")) {
            const isSeen = isAbove(node.getBoundingClientRect()) && node.checkVisibility(seen);
            return isSeen ? node.value || node.placeholder : "";
        }
        if (!node.matches("canvas [role=gridcell]")) return "";
        const { top } = node.closest("canvas").getBoundingClientRect();
        const row = Number(node.closest("tr").ariaRowIndex);
        return top + ROW * (row - 1) < innerHeight ? node.textContent : "";
    }

    function walk(root) {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
        for (let node; (node = walker.nextNode()); ) {
            if (node.shadowRoot) walk(node.shadowRoot);
            texts.push(node.nodeType === Node.TEXT_NODE ? ofText(node) : ofElement(node));
        }
    }

    walk(document.querySelector('[data-testid="stMain"]'));
    return texts.filter(Boolean).join(" | ");
}
