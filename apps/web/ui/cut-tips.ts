/** Text that is cut off at its edge tells all of it in a tip, wherever it stands. */
export function watchCutText(): void {
  document.addEventListener('pointerover', ({ target }) => {
    if (target instanceof Element) tellWhole(target);
  });
}

const mark = 'data-tip';

/** The text may stand in an element that is cut off by one around it. */
function tellWhole(target: Element): void {
  let element: Element | null = target;
  for (let up = 0; element && up < 4; up++, element = element.parentElement) {
    if (!(element instanceof HTMLElement) || (element.title && !element.hasAttribute(mark))) return;
    const text = element instanceof HTMLInputElement ? element.value : (element.textContent ?? '').trim();
    const isCut = text !== '' && element.scrollWidth > element.clientWidth + 1 && cuts(element);
    if (isCut) {
      element.title = text;
      element.setAttribute(mark, '');
      return;
    }
    if (element.hasAttribute(mark)) {
      element.removeAttribute('title');
      element.removeAttribute(mark);
    }
  }
}

function cuts(element: HTMLElement): boolean {
  return element instanceof HTMLInputElement || /hidden|clip/.test(getComputedStyle(element).overflowX);
}
