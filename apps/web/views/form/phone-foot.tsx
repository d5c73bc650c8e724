import { useEffect } from 'react';
import {
  type FieldNode,
  type FormNode,
  IconButton,
  shownRecord,
  t,
  useStore,
  useStorePart,
  ValueRead,
} from '../../door/index.ts';
import { ActionButton } from './action-button.tsx';
import { useHeaderButtons } from './header-bar.tsx';
import { useOpenForm } from './use-form.ts';
import './phone-foot.css';

/** At the bottom on a phone: the total, a button for a new line, and the primary button. */
export function PhoneFoot({ onSave }: { onSave(): Promise<boolean> }) {
  const { form, workspace, addLine } = useOpenForm();
  const { visible, next } = useHeaderButtons();
  const record = useStorePart(form, shownRecord);
  const { fields, form: arch } = workspace.arch;
  const node = totalIn(arch?.children ?? []);
  const field = fields.find(({ name }) => name === node?.name);
  const [first] = visible;
  const add = useStore(addLine);
  const isEmpty = !first && !field;
  // A class instead of `:has()` on the page frame, which would recalculate all styles whenever a row is added anywhere.
  useEffect(() => {
    document.body.classList.toggle('has-foot', !isEmpty);
    return () => document.body.classList.remove('has-foot');
  }, [isEmpty]);
  if (isEmpty) return null;
  return (
    <div className="row end gap-3 rigid surface pad-2-3 topped form-foot">
      {node && field && (
        <div className="grow digits">
          <small className="tiny mut block">{node.label ?? field.label}</small>
          <b className="large heavy">
            <ValueRead field={field} node={node} model={workspace.model} record={record} place="kanban" />
          </b>
        </div>
      )}
      {add && <IconButton className="rigid framed round square-44" icon="plus" label={t('Add a line')} onClick={add} />}
      {first && <ActionButton button={first} isPlain={first !== next} onSave={onSave} />}
    </div>
  );
}

/** The last total field of a form. */
function totalIn(nodes: readonly FormNode[]): FieldNode | undefined {
  for (const node of nodes) {
    const children =
      node.kind === 'notebook'
        ? node.pages.flatMap((page) => page.children)
        : node.kind === 'group'
          ? node.children
          : [];
    const isTotals = node.kind === 'group' && node.layout === 'totals';
    const shown = children.filter((child) => child.kind === 'field' && child.invisible === undefined);
    const found = isTotals ? (shown.at(-1) as FieldNode | undefined) : totalIn(children);
    if (found) return found;
  }
  return undefined;
}
