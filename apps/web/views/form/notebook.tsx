import { type ReactNode, useEffect, useId } from 'react';
import {
  type FieldNode,
  type FormNode,
  type FormState,
  holds,
  readingKey,
  shownRecord,
  t,
  usePlaceState,
  useStorePart,
} from '../../door/index.ts';
import { useOpenForm } from './use-form.ts';

type Notebook = Extract<FormNode, { kind: 'notebook' }>;
type Page = Notebook['pages'][number];

interface NotebookProps {
  readonly notebook: Notebook;
  readonly children: (page: Page) => ReactNode;
}

/** Tabs that follow the ARIA pattern: arrow keys move and activate. A page with an error is shown. */
// Over 60 lines: the tabs and the page share the selected page.
export function NotebookBox({ notebook, children }: NotebookProps) {
  const { form, workspace } = useOpenForm();
  const shown = useStorePart(form, (state) => shownNames(notebook, state));
  const faulty = useStorePart(form, (state) => faultyNames(notebook, state));
  const pages = notebook.pages.filter((page) => shown.split(' ').includes(page.name));
  const first = notebook.pages[0]?.name ?? '';
  const [chosen, setChosen] = usePlaceState(`page:${workspace.arch.key ?? workspace.model}:${first}`, first);
  const id = useId();
  const current = pages.find((page) => page.name === chosen) ?? pages[0];
  // Only a new error selects its page; afterwards the user can switch freely.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    const names = faulty.split(' ').filter((name) => name !== '');
    if (names.length > 0 && !names.includes(chosen)) setChosen(names[0] as string);
  }, [faulty]);
  if (!current) return null;
  const move = (to: number) => {
    const next = pages[(to + pages.length) % pages.length] ?? current;
    setChosen(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  return (
    <div className="above-4">
      <div className="line wrap lined below-3 form-tabs" role="tablist">
        {pages.map((page, at) => (
          <button
            key={page.name}
            id={`${id}-${page.name}`}
            type="button"
            role="tab"
            className="dim medium pad-y-2 inks form-tab"
            aria-selected={page === current}
            aria-controls={`${id}-page`}
            tabIndex={page === current ? 0 : -1}
            onClick={() => setChosen(page.name)}
            onKeyDown={(event) => {
              const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[readingKey(event.key)];
              if (to === undefined) return;
              event.preventDefault();
              move(to);
            }}
          >
            {page.label}
            {faulty.split(' ').includes(page.name) && (
              <span className="nowrap circle clip inline-block bg-bad before-1h form-tab-bad">
                {t('needs attention')}
              </span>
            )}
          </button>
        ))}
      </div>
      <div
        key={current.name}
        id={`${id}-page`}
        role="tabpanel"
        aria-labelledby={`${id}-${current.name}`}
        className="form-page"
      >
        {children(current)}
      </div>
    </div>
  );
}

function shownNames({ pages }: Notebook, state: FormState): string {
  const record = shownRecord(state);
  return pages
    .filter((page) => !holds(page.invisible, record))
    .map((page) => page.name)
    .join(' ');
}

function faultyNames({ pages }: Notebook, { errors }: FormState): string {
  if (Object.keys(errors).length === 0) return '';
  const isFaulty = (node: FormNode): boolean => {
    if (node.kind === 'field') return Object.hasOwn(errors, (node as FieldNode).name);
    return node.kind === 'group' && node.children.some(isFaulty);
  };
  return pages
    .filter((page) => page.children.some(isFaulty))
    .map((page) => page.name)
    .join(' ');
}
