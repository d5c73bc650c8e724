import type { DevView, DevViewNode } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import { box, element } from './dev-overlay.ts';
import { request } from './request.ts';
import { currentWorkspace } from './workspace.ts';
import './dev-overlay.css';

let panel: HTMLElement | null = null;

/**
 * In development, Alt+Shift+click on a part of a view shows where it comes from and the expression that finds it, and
 * Alt+Shift+V shows the whole view.
 */
export function inspectOnClick(): void {
  window.addEventListener(
    'click',
    (event) => {
      if (!event.altKey || !event.shiftKey || !(event.target instanceof Element)) return;
      event.preventDefault();
      event.stopPropagation();
      void show(event.target);
    },
    true,
  );
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && panel) hide();
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyV') return;
    event.preventDefault();
    void show(null);
  });
}

async function show(clicked: Element | null): Promise<void> {
  const workspace = currentWorkspace.get();
  if (!workspace) return;
  const query = new URLSearchParams({ model: workspace.model, type: workspace.viewType });
  const { body } = await request<{ result: DevView }>(`/web/dev/view?${query}`);
  const view = body.result;
  draw(view, clicked ? (nodeOf(view.root, clicked) ?? view.root) : view.root);
}

function hide(): void {
  panel?.remove();
  panel = null;
}

function draw(view: DevView, chosen: DevViewNode): void {
  hide();
  const close = button(t('Hide'), hide);
  close.classList.add('btn');
  const title = view.view === '' ? t('Generated view') : view.view;
  const about = element('div', 'stack break dev-overlay-code dev-view-about');
  const list = element('ul', 'scroll dev-overlay-code dev-view-tree');
  const choose = (node: DevViewNode, row: HTMLElement): void => {
    for (const each of list.querySelectorAll('[aria-current]')) each.removeAttribute('aria-current');
    row.setAttribute('aria-current', 'true');
    about.replaceChildren(...facts(node));
  };
  list.append(rowOf(view.root, chosen, choose));
  const head = element('header', 'row apart gap-3', element('h2', '', title), close);
  const extended =
    view.extensions.length > 0
      ? [element('p', 'mut', t('Extended by {views}', { views: view.extensions.join(', ') }))]
      : [];
  panel = element('section', `${box} dev-overlay dev-view`, head, ...extended, about, list);
  panel.setAttribute('aria-label', title);
  panel.setAttribute('popover', 'manual');
  document.body.append(panel);
  panel.showPopover();
  const row = list.querySelector<HTMLElement>('[aria-current]');
  row?.scrollIntoView({ block: 'center' });
  row?.focus();
}

function rowOf(
  node: DevViewNode,
  chosen: DevViewNode,
  choose: (node: DevViewNode, row: HTMLElement) => void,
): HTMLElement {
  const row = button(node.written, () => choose(node, row));
  if (node === chosen) choose(node, row);
  const inside = node.children.map((child) => rowOf(child, chosen, choose));
  return element('li', '', row, ...(inside.length > 0 ? [element('ul', '', ...inside)] : []));
}

function facts({ xpath, origin, changes }: DevViewNode): readonly HTMLElement[] {
  const copy = button(t('Copy'), () => void navigator.clipboard.writeText(xpath));
  copy.classList.add('btn');
  return [
    element('p', 'row apart gap-3 dev-view-xpath', element('code', '', xpath), copy),
    ...(origin === '' ? [] : [element('p', '', element('code', '', origin))]),
    ...changes.map((change) => element('p', '', `${change.attribute}: `, element('code', '', change.origin))),
  ];
}

function button(label: string, run: () => void): HTMLElement {
  const made = element('button', 'mono small break round-s', label);
  made.setAttribute('type', 'button');
  made.addEventListener('click', run);
  return made;
}

/** The element of the view that draws what was clicked: by the name of its field or column, else by its label. */
function nodeOf(root: DevViewNode, clicked: Element): DevViewNode | null {
  const nodes = [...walk(root)];
  const name = nameOf(clicked);
  const field = name === null ? undefined : nodes.find((node) => node.tag === 'field' && node.name === name);
  if (field) return field;
  for (let at: Element | null = clicked; at && at !== document.body; at = at.parentElement) {
    const label = at.textContent?.trim();
    const labelled = label ? nodes.find((node) => node.label === label) : undefined;
    if (labelled) return labelled;
  }
  return null;
}

function nameOf(clicked: Element): string | null {
  const named = clicked.closest<HTMLElement>('[data-name]');
  if (named) return named.dataset.name ?? null;
  const cell = clicked.closest<HTMLElement>('[data-col]');
  const at = cell ? `[aria-colindex="${Number(cell.dataset.col) + 2}"]` : null;
  const head = at ? clicked.closest('table, [role="grid"]')?.querySelector(`th${at}`) : clicked.closest('th');
  return head?.querySelector<HTMLElement>('[data-column]')?.dataset.column ?? null;
}

function* walk(node: DevViewNode): Generator<DevViewNode> {
  yield node;
  for (const child of node.children) yield* walk(child);
}
