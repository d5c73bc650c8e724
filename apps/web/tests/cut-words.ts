/**
 * In the page: texts that something cuts off. Heads, labels, buttons and tabs never are; a value may be where pointing at it
 * tells all of it.
 */
export function cutWords(): string[] {
  const found: string[] = [];
  const isHidden = (element: Element) => {
    // What is folded away still has a place.
    if (!element.checkVisibility()) return true;
    for (let one: Element | null = element; one; one = one.parentElement) {
      const { visibility, clipPath, opacity, fontSize, display } = getComputedStyle(one);
      if (visibility === 'hidden' || clipPath !== 'none' || opacity === '0' || fontSize === '0px') return true;
      if (display !== 'contents' && one.getBoundingClientRect().height <= 2) return true;
    }
    return false;
  };
  const tells = (element: Element, text: string) => {
    element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    return (
      element.closest<HTMLElement>(`[title*="${CSS.escape(text)}"]`) !== null || titlesOver(element).includes(text)
    );
  };
  const titlesOver = (element: Element) => {
    const titles: string[] = [];
    for (let one: Element | null = element; one; one = one.parentElement) titles.push((one as HTMLElement).title ?? '');
    return titles.join(' ').replaceAll(/\s+/g, ' ');
  };
  // Tips wait where something has just scrolled; this says that it was elsewhere.
  document.head.dispatchEvent(new Event('scroll'));
  const range = document.createRange();
  // What is under an open window was looked at before it was opened.
  const open = [...document.querySelectorAll('dialog[open], .popover:popover-open')].at(-1) ?? document.body;
  const texts = document.createTreeWalker(open, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = (node.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
    const element = node.parentElement;
    if (text === '' || !element || element.closest('script, style, option, svg, textarea, .map-marks')) continue;
    range.selectNodeContents(node);
    const own = range.getBoundingClientRect();
    if (own.width < 1) continue;
    for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(one);
      if (overflowX === 'auto' || overflowX === 'scroll') break;
      const box = one.getBoundingClientRect();
      const isPast = own.right > box.right + 1.5 || own.left < box.left - 1.5;
      // The ellipsis begins where the padding does.
      const isEnded = textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth;
      const isCut = overflowX !== 'visible' && (isPast || isEnded);
      if (!isCut) continue;
      if (isHidden(element)) break;
      const labels =
        '[role=columnheader]:not(.pivot-group), th:not([scope=row]), label:not(.calendar-legend label), .form-label, .btn, [role=tab], .badge';
      const isLabel = element.closest(labels) !== null;
      // On a phone the name of a record stands over its form, whole, and a tap on a card, a figure or a choice tells the rest.
      const isHeading = element.closest('.crumbs') !== null && document.querySelector('.form-head') !== null;
      const tapped =
        '.kanban-card, .list-card, .map-row, .grid-row, .day-row, .tile-bar-name, .tile-list a, .pane-row, .pick, .status-phone, .pivot-group, [role=gridcell], [role=rowheader]';
      const isTapped = element.closest(tapped) !== null;
      const isTold = !isLabel && (innerWidth > 640 ? tells(element, text) : isHeading || isTapped);
      if (!isTold) found.push(`${text} (${Math.round(box.width)} of ${Math.round(own.width)} px, ${one.className})`);
      break;
    }
  }
  const controls = [...open.querySelectorAll('.bar :is(.btn, .chip, .searchtext, .seg, .pager, .kanban-summary)')];
  const apart = controls.filter((one) => !isHidden(one) && !one.parentElement?.closest('.chip, .pager, .seg'));
  apart.forEach((one, at) => {
    const box = one.getBoundingClientRect();
    for (const other of apart.slice(at + 1)) {
      const { left, right, top, bottom } = other.getBoundingClientRect();
      const isUnder = left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
      const isScrolled = innerWidth <= 640 && one.closest('.searchbar') !== null;
      if (isUnder && !isScrolled) found.push(`${one.textContent || one.className} lies upon ${other.className}`);
    }
  });
  const overflow = document.documentElement.scrollWidth - innerWidth;
  if (overflow > 0) found.push(`scrolls sideways by ${overflow} px`);
  return found;
}
