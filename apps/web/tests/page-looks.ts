/**
 * In the page: what overlaps, is squeezed, cut or hardly to be seen, each as a sentence. It looks at what is drawn: texts, the text in
 * fields, and controls; not at drawings (maps, plans, charts), where things lie upon each other on purpose.
 */
export function faults(): string[] {
  interface Ink {
    readonly element: Element;
    readonly name: string;
    readonly box: Box;
    /** A field or a button: nothing but its own parts lies upon it. */
    readonly isControl: boolean;
  }
  interface Box {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }
  const drawings = 'svg, .map-surface, .gantt-body, .calendar-grid, .calendar-month, .graph-stage, .profile-look';
  const controls = 'input:not([type=hidden], [type=file]), select, textarea, button, .btn';
  const found: string[] = [];
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  const around = function* (element: Element) {
    for (let one: Element | null = element; one; one = one.parentElement) yield one;
  };
  // What is folded away still has a place.
  const isHidden = (element: Element) =>
    !element.checkVisibility() ||
    [...around(element)].some((one) => {
      const { visibility, clipPath, opacity, fontSize, display } = styleOf(one);
      return (
        visibility === 'hidden' || clipPath !== 'none' || opacity === '0' || fontSize === '0px' || display === 'none'
      );
    });
  /** What is left of a box where its surroundings cut it, from `first` on; null: nothing. */
  const shown = (first: Element | null, { left, right, top, bottom }: Box): Box | null => {
    let box: Box = { left, right, top, bottom };
    for (const one of first ? around(first) : []) {
      const { overflowX, overflowY, position } = styleOf(one);
      const edge = one.getBoundingClientRect();
      if (overflowX !== 'visible')
        box = { ...box, left: Math.max(box.left, edge.left), right: Math.min(box.right, edge.right) };
      if (overflowY !== 'visible')
        box = { ...box, top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom) };
      if (position === 'fixed') break;
    }
    const isSeen = box.right - box.left > 1 && box.bottom - box.top > 1 && box.top < innerHeight && box.bottom > 0;
    return isSeen ? box : null;
  };
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].at(-1) ?? ''} ${element.getAttribute('aria-label') ?? ''}`.trim();
  const pen = document
    .createElement('canvas')
    .getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const typed = (field: HTMLInputElement): Box => {
    const { font, paddingLeft, paddingRight, direction, textAlign } = styleOf(field);
    const { left, right, top, bottom } = field.getBoundingClientRect();
    pen.font = font;
    const width = pen.measureText(field.value || field.placeholder).width;
    const [start, end] = [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)];
    const isAtEnd = textAlign === 'right' || (textAlign === 'end') === (direction === 'ltr');
    return isAtEnd && textAlign !== 'left'
      ? { left: Math.max(start, end - width), right: end, top, bottom }
      : { left: start, right: Math.min(end, start + width), top, bottom };
  };
  /** Above the page, or in place while the rest scrolls. */
  const layerOf = (element: Element) =>
    [...around(element)].find(
      (one) =>
        one.matches('dialog, [popover], .toasts, tfoot, thead') || ['sticky', 'fixed'].includes(styleOf(one).position),
    ) ?? document.body;

  const inks: Ink[] = [];
  const add = (element: Element, name: string, box: Box, isControl = false) => {
    const seen = shown(isControl ? element.parentElement : element, box);
    if (seen) inks.push({ element, name, box: seen, isControl });
  };
  const open = [...document.querySelectorAll('dialog[open], .popover:popover-open')].at(-1) ?? document.body;
  const range = document.createRange();
  const texts = document.createTreeWalker(open, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    const text = (node.textContent ?? '').trim();
    if (text === '' || !element || element.closest(`script, style, option, textarea, ${drawings}`) || isHidden(element))
      continue;
    range.selectNodeContents(node);
    const parts = [...range.getClientRects()];
    // Parts in different directions are beside each other on one line.
    const lines = new Set(parts.map(({ top }) => Math.round(top / 6)));
    const widest = Math.max(...parts.map(({ left, right }) => right - left));
    // Totals of a group that laid out its parts elsewhere were 9 px wide, with a letter on each line.
    if (lines.size > 2 && widest < 26) found.push(`"${text.slice(0, 40)}" is squeezed to ${Math.round(widest)} px`);
    // Letters are less high than their line.
    for (const { left, right, top, bottom } of parts)
      add(element, text.slice(0, 40), { left, right, top: top + 3, bottom: bottom - 3 });
  }
  for (const element of open.querySelectorAll(controls)) {
    if (element.closest(drawings) || isHidden(element)) continue;
    const box = element.getBoundingClientRect();
    const isField =
      element instanceof HTMLInputElement && !['checkbox', 'radio', 'color', 'range'].includes(element.type);
    if (isField) add(element, element.value || element.placeholder || nameOf(element), typed(element));
    const { borderTopColor, borderTopWidth, backgroundColor } = styleOf(element);
    const clear = 'rgba(0, 0, 0, 0)';
    const isFramed = (borderTopWidth !== '0px' && borderTopColor !== clear) || backgroundColor !== clear;
    if (isFramed) add(element, nameOf(element), box, true);
    const seen = shown(element.parentElement, box);
    const scrolls = [...around(element)].some(
      (one) => one !== element && ['auto', 'scroll'].includes(styleOf(one).overflowX),
    );
    if (seen && !scrolls && box.width - (seen.right - seen.left) > 2) found.push(`${nameOf(element)} is cut`);
    const isOff = (box.right > innerWidth + 2 && box.left < innerWidth) || (box.left < -2 && box.right > 0);
    if (seen && !scrolls && isOff) found.push(`${nameOf(element)} is beyond the edge of the screen`);
    if (isField && box.width > 0 && box.width < 28)
      found.push(`${nameOf(element)} is ${Math.round(box.width)} px wide`);
  }
  const isOneThing = (one: Element, other: Element) => {
    if (one === other || one.contains(other) || other.contains(one)) return true;
    const whole =
      'label, a, button, .field-relation, .dated, .date-wrap, .searchtext, .box, .toggle, .stars, .field-wrap';
    const mine = one.closest(whole);
    return mine?.contains(other) === true || other.closest(whole)?.contains(one) === true;
  };
  inks.forEach((one, at) => {
    for (const other of inks.slice(at + 1)) {
      if (one.isControl && other.isControl) continue;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide <= 3 || high <= 3 || isOneThing(one.element, other.element)) continue;
      if (layerOf(one.element) !== layerOf(other.element)) continue;
      found.push(`"${one.name}" and "${other.name}" overlap by ${Math.round(wide)} px`);
    }
  });

  // What scrolls sideways shows its end whole.
  for (const element of open.querySelectorAll<HTMLElement>(
    '.kanban-board, .list-scroll, .import-scroll, .tile-table, .pivot',
  )) {
    const last = element.lastElementChild;
    if (!last || element.scrollWidth <= element.clientWidth) continue;
    const before = element.scrollLeft;
    const isRtl = styleOf(element).direction === 'rtl';
    element.scrollLeft = isRtl ? -element.scrollWidth : element.scrollWidth;
    const [own, end] = [element.getBoundingClientRect(), last.getBoundingClientRect()];
    const over = isRtl ? own.left - end.left : end.right - own.right;
    if (over > 1) found.push(`${nameOf(element)}: its end is cut by ${Math.round(over)} px`);
    const isCards = element.matches('.kanban-board');
    const room = isRtl ? end.left - own.left : own.right - end.right;
    if (isCards && room < 8) found.push(`${nameOf(element)}: ${Math.round(room)} px beside its last column`);
    element.scrollLeft = before;
  }

  // A badge or a tag on a coloured row is still a chip.
  const rgb = (colour: string) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const groundOf = (element: Element | null) =>
    [...around(element as Element)]
      .map((one) => rgb(styleOf(one).backgroundColor))
      .find(([, , , alpha]) => alpha === 255) ?? [255, 255, 255, 255];
  const apartFrom = (one: readonly number[], other: readonly number[]) =>
    [0, 1, 2].reduce((sum, at) => sum + Math.abs((one[at] ?? 0) - (other[at] ?? 0)), 0);
  /** The colour of its edge, on its own. */
  const edgeOf = (chip: Element, own: readonly number[]) => {
    const [colour = ''] = /^\w[\w-]*\([^)]*\)/.exec(styleOf(chip).boxShadow) ?? [];
    const [red = 0, green = 0, blue = 0, alpha = 0] = colour === '' ? [] : rgb(colour);
    return [red, green, blue].map((part, at) => (part * alpha + (own[at] ?? 0) * (255 - alpha)) / 255);
  };
  for (const chip of open.querySelectorAll('.badge, .tag:not(.tag-person), .chip')) {
    if (isHidden(chip) || !shown(chip.parentElement, chip.getBoundingClientRect())) continue;
    const [own, ground] = [groundOf(chip), groundOf(chip.parentElement)];
    const apart = apartFrom(own, ground);
    if (apart < 34 && apartFrom(edgeOf(chip, own), ground) < 34)
      found.push(`${chip.textContent}: a chip on the colour of its row (${apart})`);
  }
  // A label wraps between its words.
  for (const label of open.querySelectorAll('.form-label')) {
    const text = label.firstChild;
    if (!(text instanceof Text) || isHidden(label)) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\p{L}\p{M}]+/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(`${word} is broken`);
    }
  }
  return [...new Set(found)];
}
