import type { FormNode } from '@kontor/protocol';
import { useId, useState } from 'react';
import { holds } from '../../data/form/conditions.ts';
import { shownRecord } from '../../data/form/form-state.ts';
import { useStore } from '../../data/store.ts';
import { ActionButton } from './action-button.tsx';
import { FieldLine } from './field-line.tsx';
import { useOpenForm } from './form-context.ts';

type Group = Extract<FormNode, { kind: 'group' }>;
type Notebook = Extract<FormNode, { kind: 'notebook' }>;

export function FormNodes({ nodes }: { readonly nodes: readonly FormNode[] }) {
  return nodes.map((node, index) => <Node key={keyOf(node, index)} node={node} />);
}

function Node({ node }: { readonly node: FormNode }) {
  switch (node.kind) {
    case 'field':
      return <FieldLine node={node} />;
    case 'button':
      return <ActionButton button={node} />;
    case 'group':
      return <GroupBox group={node} />;
    case 'notebook':
      return <NotebookBox notebook={node} />;
    case 'separator':
      return <Visible node={node}>{node.label ? <h2 className="form-heading">{node.label}</h2> : <hr />}</Visible>;
    case 'text':
      return (
        <Visible node={node}>
          <p className="form-text">{node.text}</p>
        </Visible>
      );
  }
}

function Visible({
  node,
  children,
}: {
  readonly node: { invisible?: FormNodeCondition };
  readonly children: React.ReactNode;
}) {
  const { form } = useOpenForm();
  const state = useStore(form);
  return holds(node.invisible, shownRecord(state)) ? null : children;
}
type FormNodeCondition = Extract<FormNode, { kind: 'text' }>['invisible'];

function GroupBox({ group }: { readonly group: Group }) {
  return (
    <Visible node={group}>
      <section className="form-group" data-columns={group.columns ?? 1}>
        {group.label && <h2 className="form-heading">{group.label}</h2>}
        <FormNodes nodes={group.children} />
      </section>
    </Visible>
  );
}

/** Tabs by the pattern everyone knows: arrow keys move, the page follows. */
function NotebookBox({ notebook }: { readonly notebook: Notebook }) {
  const { form } = useOpenForm();
  const record = shownRecord(useStore(form));
  const pages = notebook.pages.filter((page) => !holds(page.invisible, record));
  const [chosen, setChosen] = useState(pages[0]?.name ?? '');
  const id = useId();
  const current = pages.find((page) => page.name === chosen) ?? pages[0];
  if (!current) return null;
  const move = (by: number) => {
    const at = pages.indexOf(current);
    const next = pages[(at + by + pages.length) % pages.length] ?? current;
    setChosen(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  return (
    <div className="form-book">
      <div className="form-tabs" role="tablist">
        {pages.map((page) => (
          <button
            key={page.name}
            id={`${id}-${page.name}`}
            type="button"
            role="tab"
            className="form-tab"
            aria-selected={page === current}
            aria-controls={`${id}-page`}
            tabIndex={page === current ? 0 : -1}
            onClick={() => setChosen(page.name)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') move(1);
              else if (event.key === 'ArrowLeft') move(-1);
            }}
          >
            {page.label}
          </button>
        ))}
      </div>
      <div id={`${id}-page`} role="tabpanel" aria-labelledby={`${id}-${current.name}`} className="form-page">
        <FormNodes nodes={current.children} />
      </div>
    </div>
  );
}

function keyOf(node: FormNode, index: number): string {
  return node.kind === 'field' || node.kind === 'button'
    ? `${node.kind}-${node.name}-${index}`
    : `${node.kind}-${index}`;
}
