/** Word puts the level of a list item into its style, as in `mso-list:l0 level2 lfo1`. */
const levelPattern = /mso-list:[^;"']*?level(\d)/;

/** Turns the paragraphs that Word pastes for list items into lists. Other HTML is returned unchanged. */
export function withWordLists(html: string): string {
  if (!levelPattern.test(html)) return html;
  const page = new DOMParser().parseFromString(html, 'text/html');
  /** The lists that the next item may continue, outermost first. */
  let open: Element[] = [];
  for (const paragraph of page.querySelectorAll('p')) {
    const level = Number(levelPattern.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0);
    const isNext = open[0] !== undefined && paragraph.previousElementSibling === open[0];
    open = level === 0 ? [] : addItem(isNext ? open.slice(0, level) : [], paragraph, level);
  }
  return page.body.innerHTML;
}

/** Moves a paragraph into a new item at its level, below the open lists or below new ones. */
function addItem(open: readonly Element[], paragraph: Element, level: number): Element[] {
  const page = paragraph.ownerDocument;
  const lists = [...open];
  // The bullet or number, which Word writes as text.
  const marker = paragraph.querySelector('[style*="mso-list:Ignore"]');
  const tag = /^\s*\w+[.)]/.test(marker?.textContent ?? '') ? 'ol' : 'ul';
  while (lists.length < level) {
    const list = page.createElement(tag);
    const parent = lists.at(-1);
    if (parent) (parent.lastElementChild ?? parent.appendChild(page.createElement('li'))).append(list);
    else paragraph.before(list);
    lists.push(list);
  }
  const item = page.createElement('li');
  marker?.remove();
  lists.at(-1)?.append(item);
  item.append(paragraph);
  return lists;
}
