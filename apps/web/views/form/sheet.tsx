import { type ReactNode, useEffect, useRef } from 'react';
import { type Condition, type FormNode, holds, newName, shownRecord, useStorePart } from '../../door/index.ts';
import { ActionButton } from './action-button.tsx';
import { FieldLine } from './field-line.tsx';
import { NotebookBox } from './notebook.tsx';
import { useOpenForm } from './use-form.ts';

/** The record itself: image, title, stat buttons, groups and pages. */
export function FormSheet() {
  const open = useOpenForm();
  const { form: arch, target, title, isTransient } = open.workspace.arch;
  const sheet = useRef<HTMLDivElement>(null);
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const name = useStorePart(open.form, (state) => state.stored.display_name);
  useEffect(() => {
    if (isNew) sheet.current?.querySelector<HTMLElement>('input:not([type=file]), textarea, select')?.focus();
  }, [isNew]);
  if (!arch) return null;
  const record = isNew ? newName(open.workspace.arch) : String(name ?? '');
  const heading = isTransient ? title : record;
  // A dialog already has a title.
  const isAsking = target === 'dialog';
  return (
    <div ref={sheet} className={isAsking ? 'container form-sheet form-asking' : 'container form-sheet'}>
      <header className="line wrap gap-4 at-start form-head">
        {arch.avatar && (
          <div className="form-avatar">
            <FieldLine node={{ widget: 'image', ...arch.avatar }} isBare />
          </div>
        )}
        <div className="shrink form-titles">
          <h1 dir="auto" className={arch.title || isAsking ? 'sr-only' : ''}>
            {heading}
          </h1>
          {arch.title && (
            <div className="form-title">
              <FieldLine node={arch.title} isBare />
            </div>
          )}
          {arch.subtitle && (
            <div className="row wrap mut gap-2 rows-0 form-subtitle">
              {arch.subtitle.map((node) => (
                <FieldLine key={node.name} node={node} isBare />
              ))}
            </div>
          )}
        </div>
        {arch.stats.length > 0 && !isNew && (
          <div className="line wrap gap-2 push form-stats">
            {arch.stats.map((button) => (
              <ActionButton key={button.name} button={button} isStat />
            ))}
          </div>
        )}
      </header>
      <FormNodes nodes={arch.children} />
    </div>
  );
}

type Group = Extract<FormNode, { kind: 'group' }>;

interface NodesProps {
  readonly nodes: readonly FormNode[];
  /** How many groups contain the nodes. */
  readonly depth?: number;
}

/** Fields outside of a group are laid out as if they were in one. */
function FormNodes({ nodes, depth = 0 }: NodesProps) {
  if (depth > 0) return nodes.map((node, index) => <Node key={keyOf(node, index)} node={node} depth={depth} />);
  return sections(nodes).map((section, index) =>
    section.length > 1 || section[0]?.kind === 'field' ? (
      <div key={keyOf(section[0] as FormNode, index)} className="stack one-column form-grid" data-columns={2}>
        <FormNodes nodes={section} depth={1} />
      </div>
    ) : (
      section.map((node) => <Node key={keyOf(node, index)} node={node} depth={0} />)
    ),
  );
}

function sections(nodes: readonly FormNode[]): readonly (readonly FormNode[])[] {
  const result: FormNode[][] = [];
  let isOpen = false;
  for (const node of nodes) {
    const isPlain = node.kind === 'field' || node.kind === 'button';
    if (isPlain && isOpen) result.at(-1)?.push(node);
    else result.push([node]);
    isOpen = isPlain;
  }
  return result;
}

function Node({ node, depth }: { readonly node: FormNode; readonly depth: number }) {
  switch (node.kind) {
    case 'field':
      return <FieldLine node={node} />;
    case 'button':
      return <ActionButton button={node} />;
    case 'group':
      return <GroupBox group={node} depth={depth} />;
    case 'notebook':
      return <NotebookBox notebook={node}>{(page) => <FormNodes nodes={page.children} />}</NotebookBox>;
    case 'separator':
      return (
        <Visible when={node.invisible}>
          {node.label ? (
            <h2 className="small strong lined ink form-heading whole-row form-wide">{node.label}</h2>
          ) : (
            <hr className="no-border topped above-2 below-2 form-rule whole-row form-wide" />
          )}
        </Visible>
      );
    case 'text':
      return (
        <Visible when={node.invisible}>
          <p className="mut below-3 form-text whole-row form-wide">{node.text}</p>
        </Visible>
      );
  }
}

function Visible({ when, children }: { readonly when: Condition | undefined; readonly children: ReactNode }) {
  const { form } = useOpenForm();
  const isHidden = useStorePart(form, (state) => holds(when, shownRecord(state)));
  return isHidden ? null : children;
}

/**
 * A group of groups lays them out side by side; an outer group of fields has two columns, totals and a nested group have one.
 */
function GroupBox({ group, depth }: { readonly group: Group; readonly depth: number }) {
  const hasGroups = group.children.some((child) => child.kind === 'group');
  const isTotals = group.layout === 'totals';
  const columns = group.columns ?? (hasGroups || (depth === 0 && !isTotals) ? 2 : 1);
  return (
    <Visible when={group.invisible}>
      <section className={`shrink below-4 form-group ${isTotals ? 'push form-totals' : ''}`} data-span={group.colspan}>
        {group.label && <h2 className="small strong lined ink form-heading">{group.label}</h2>}
        <div className={`stack one-column form-grid ${hasGroups ? 'form-groups' : ''}`} data-columns={columns}>
          <FormNodes nodes={group.children} depth={depth + 1} />
        </div>
      </section>
    </Visible>
  );
}

function keyOf(node: FormNode, index: number): string {
  return node.kind === 'field' || node.kind === 'button'
    ? `${node.kind}-${node.name}-${index}`
    : `${node.kind}-${index}`;
}
