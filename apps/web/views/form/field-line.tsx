import type { ArchField, FieldNode } from '@kontor/protocol';
import { useId } from 'react';
import { holds } from '../../data/form/conditions.ts';
import { shownRecord, valueIn } from '../../data/form/form-state.ts';
import { useStore, useStorePart } from '../../data/store.ts';
import type { FieldWidget } from '../../fields/define-field.ts';
import { widgetOf } from '../../fields/registry.ts';
import { t } from '../../i18n/messages.ts';
import { useOpenForm } from './form-context.ts';

interface FieldLineProps {
  readonly node: FieldNode;
  /** Without the label beside it: titles, wide fields. */
  readonly isBare?: boolean;
}

/** One field with its label, its control and what is wrong with it. */
export function FieldLine({ node, isBare = false }: FieldLineProps) {
  const { workspace } = useOpenForm();
  const field = workspace.arch.fields.find((one) => one.name === node.name);
  return field ? <KnownField node={node} field={field} isBare={isBare || node.nolabel === true} /> : null;
}

function KnownField({ node, field, isBare }: { node: FieldNode; field: ArchField; isBare: boolean }) {
  const open = useOpenForm();
  const state = useStore(open.form);
  const id = useId();
  const record = shownRecord(state);
  if (holds(node.invisible, record)) return null;
  const widget = widgetOf(field, node.widget);
  const isReadonly = field.readonly || holds(node.readonly, record) || !canWrite(open.workspace.arch.rights, state.id);
  const isRequired = !isReadonly && (field.required || holds(node.required, record));
  const label = node.label ?? field.label;
  const isWide = isWideField(field, widget);
  const control = <FieldControl {...{ id, node, field, widget, label, isReadonly, isRequired }} />;
  const help = node.help ?? field.help;
  if (isBare) return <div className="form-bare">{control}</div>;
  return (
    <div className={`form-line ${isWide ? 'form-wide' : ''}`}>
      <label htmlFor={id} className="form-label" title={help}>
        {label}
        {isRequired && (
          <span className="form-star" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {control}
    </div>
  );
}

interface FieldControlProps {
  readonly id: string;
  readonly node: FieldNode;
  readonly field: ArchField;
  readonly widget: FieldWidget;
  readonly label: string;
  readonly isReadonly: boolean;
  readonly isRequired: boolean;
}

/** Draws again only when its own value, message or domain changes. */
function FieldControl({ id, node, field, widget, label, isReadonly, isRequired }: FieldControlProps) {
  const open = useOpenForm();
  const value = useStorePart(open.form, (state) => valueIn(state, field.name));
  const messages = useStorePart(open.form, (state) => state.errors[field.name]);
  const domain = useStorePart(open.form, (state) => state.domains[field.name] ?? node.domain ?? field.domain);
  const record = shownRecord(open.form.get());
  const common = { field, node, model: open.workspace.model, value, record, place: 'form' as const };
  const { Read, Edit } = widget;
  const problemId = messages ? `${id}-problem` : undefined;
  return (
    <div className={`form-control ${messages ? 'form-bad' : ''}`}>
      {isReadonly || !Edit ? (
        <div id={id} className="form-value">
          <Read {...common} />
        </div>
      ) : (
        <Edit
          {...common}
          id={id}
          label={label}
          isRequired={isRequired}
          isInvalid={messages !== undefined}
          describedBy={problemId}
          domain={domain}
          onChange={(next, shown) => open.set(field.name, next, shown)}
        />
      )}
      {messages && (
        <p id={problemId} className="form-problem" role="alert">
          {messages.map((message) => t(message)).join(' ')}
        </p>
      )}
    </div>
  );
}

function canWrite(rights: { readonly create: boolean; readonly write: boolean }, id: number): boolean {
  return id === 0 ? rights.create : rights.write;
}

function isWideField(field: ArchField, widget: FieldWidget): boolean {
  return ['one2many', 'html', 'text'].includes(field.type) || (field.type === 'many2many' && widget.name !== 'tags');
}
