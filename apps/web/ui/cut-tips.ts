/** Long enough for a scroll to have stopped, shorter than the browser's tooltip delay. */
const restMs = 200;

/**
 * Shows the full text of truncated elements in a tooltip. Elements that scroll under a resting pointer are measured
 * only once the scroll has stopped, because measuring during a scroll forces an extra layout.
 */
export function watchCutText(): void {
  let last: { readonly box: EventTarget | null; readonly at: number } = { box: null, at: 0 };
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const scrolled = ({ target }: Event) => {
    last = { box: target, at: performance.now() };
  };
  const hasMoved = (element: Element) =>
    last.box instanceof Node && last.box.contains(element) && performance.now() - last.at < restMs;
  document.addEventListener('scroll', scrolled, { capture: true, passive: true });
  document.addEventListener('pointerover', ({ target }) => {
    if (!(target instanceof Element)) return;
    clearTimeout(waiting);
    if (hasMoved(target)) waiting = setTimeout(() => target.isConnected && showFullText(target), restMs);
    else showFullText(target);
  });
}

const mark = 'data-tip';

/** The text may be in an element that is truncated by one of its ancestors. */
function showFullText(target: Element): void {
  let element: Element | null = target;
  for (let up = 0; element && up < 4; up++, element = element.parentElement) {
    if (!(element instanceof HTMLElement) || (element.title && !element.hasAttribute(mark))) return;
    const text = element instanceof HTMLInputElement ? element.value : (element.textContent ?? '').trim();
    if (text !== '' && isCut(element)) {
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

function isCut(element: HTMLElement): boolean {
  const isWider = element.scrollWidth > element.clientWidth + 1;
  if (element instanceof HTMLInputElement) return isWider;
  const style = getComputedStyle(element);
  if (!/hidden|clip/.test(style.overflowX)) return false;
  return isWider || (style.textOverflow === 'ellipsis' && passesPadding(element, style));
}

/** The ellipsis starts where the padding starts, even if the text would end within the padding. */
function passesPadding(element: HTMLElement, style: CSSStyleDeclaration): boolean {
  const range = document.createRange();
  range.selectNodeContents(element);
  const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
  return range.getBoundingClientRect().width > element.clientWidth - padding + 0.5;
}
