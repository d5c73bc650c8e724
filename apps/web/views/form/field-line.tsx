import { type ComponentType, useId } from 'react';
import {
  type ArchField,
  chooseRecords,
  type FieldNode,
  type FieldWidget,
  type FormState,
  fieldType,
  holds,
  isToMany,
  lazyComponent,
  Skeleton,
  shownRecord,
  t,
  unmatchedName,
  useStorePart,
  valueIn,
  widgetOf,
} from '../../door/index.ts';
import type { GridProps } from './grid/grid.tsx';
import { useOpenForm } from './use-form.ts';

const { Component: Grid, preload: preloadGrid } = lazyComponent<GridProps>(
  async () => (await import('./grid/grid.tsx')).Grid as ComponentType<GridProps>,
  <Skeleton width="60%" />,
);

export { preloadGrid };

interface FieldLineProps {
  readonly node: FieldNode;
  /** Without a label: titles, wide fields. */
  readonly isBare?: boolean;
}

/** One field with its label, control and error message. */
export function FieldLine({ node, isBare = false }: FieldLineProps) {
  const { workspace } = useOpenForm();
  const field = workspace.arch.fields.find((one) => one.name === node.name);
  return field ? <KnownField node={node} field={field} isBare={isBare || node.nolabel === true} /> : null;
}

/** Renders again only when the result of a condition changes. */
function KnownField({ node, field, isBare }: { node: FieldNode; field: ArchField; isBare: boolean }) {
  const open = useOpenForm();
  const id = useId();
  const { arch } = open.workspace;
  const isHidden = useStorePart(open.form, (state) => holds(node.invisible, shownRecord(state)));
  const isReadonly = useStorePart(
    open.form,
    (state) =>
      open.isLocked ||
      field.readonly ||
      !(state.id === 0 ? arch.rights.create : arch.rights.write && arch.form?.edit !== false) ||
      holds(node.readonly, shownRecord(state)),
  );
  const isNeeded = useStorePart(open.form, (state) => field.required || holds(node.required, shownRecord(state)));
  if (isHidden) return null;
  const widget = widgetOf(field, node.widget);
  const label = node.label ?? field.label;
  const isRequired = isNeeded && !isReadonly;
  const control = <FieldControl {...{ id, node, field, widget, label, isReadonly, isRequired }} />;
  if (isBare)
    return (
      <div className={`form-bare ${isWide(field, widget, node) ? 'whole-row form-wide' : ''}`} data-name={node.name}>
        {control}
      </div>
    );
  const help = node.help ?? field.help;
  const look = isWide(field, widget, node) ? 'whole-row form-wide' : '';
  return (
    <div
      className={`at-start stack gap-0 form-line ${look} ${isStacked(field, widget, node) ? 'form-stacked' : ''}`}
      data-span={node.colspan}
      data-name={node.name}
    >
      <label htmlFor={id} className="small dim form-label" title={help}>
        {label}
        {isRequired && (
          <span className="bad form-star" aria-hidden="true">
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

/** Renders again only when its own value, message, domain or company changes. */
function FieldControl({ id, node, field, widget, label, isReadonly, isRequired }: FieldControlProps) {
  const open = useOpenForm();
  const value = useStorePart(open.form, (state) => valueIn(state, field.name));
  const messages = useStorePart(open.form, (state) => state.errors[field.name]);
  const domain = useStorePart(open.form, (state) => state.domains[field.name] ?? node.domain ?? field.domain);
  useStorePart(open.form, (state) => shownWith(state, field, node));
  const record = shownRecord(open.form.get());
  const common = { field, node, model: open.workspace.model, value, record, place: 'form' as const };
  const was = useStorePart(open.form, ({ id: at, edits, stored, sending }) =>
    at === 0 || isReadonly || !Object.hasOwn(edits, field.name) || edits === sending
      ? null
      : isToMany(field)
        ? t('Changed')
        : t('Was: {value}', {
            value: widget.toText({ ...common, value: stored[field.name], record: stored }) || t('empty'),
          }),
  );
  const { Read, Edit } = widget;
  const problemId = messages ? `${id}-problem` : undefined;
  return (
    <div className={`shrink anchor form-control ${messages ? 'form-bad' : ''} ${node.placeholder ? '' : 'form-quiet'}`}>
      {isGrid(field, widget, node) ? (
        <Grid id={id} node={node} field={field} label={label} isReadonly={isReadonly} isInvalid={!!messages} />
      ) : isReadonly || !Edit ? (
        <div id={id} className="break pad-y-1h pad-x-2 form-value">
          {isEmpty(value) && node.placeholder ? <span className="dim">{node.placeholder}</span> : <Read {...common} />}
        </div>
      ) : (
        <Edit
          {...common}
          node={node.placeholder ? node : { ...node, placeholder: t('Add …') }}
          id={id}
          label={label}
          isRequired={isRequired}
          isInvalid={messages !== undefined}
          describedBy={problemId}
          domain={domain}
          onChange={(next, shown) => {
            if (isToMany(field) && unmatchedName(next) === null)
              open.setLines(field.name, () => chosen(open.form.get(), field.name, next));
            else open.set(field.name, next, shown);
          }}
        />
      )}
      {was && <span className="pin form-dot" role="img" aria-label={was} title={was} />}
      {messages && (
        <p id={problemId} className="small bad pad-t-half pad-x-2 pad-b-1 form-problem" role="alert">
          {messages.map((message) => t(message)).join(' ')}
        </p>
      )}
    </div>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

/** Other values that the widget needs: the name of a relation, a currency, the model of a domain. */
function shownWith(state: FormState, field: ArchField, node: FieldNode): unknown {
  const record = shownRecord(state);
  if (fieldType(field.type).isToOne) return record[`${field.name}.display_name`];
  if (field.currency) return record[`${field.currency}.display_name`];
  const named = Object.values(node.options ?? {}).filter((name) => typeof name === 'string' && name in record);
  return named.map((name) => JSON.stringify(record[name as string])).join();
}

function chosen({ stored }: FormState, name: string, records: unknown) {
  return chooseRecords(stored[name], records as Parameters<typeof chooseRecords>[1]);
}

function isGrid(field: ArchField, widget: FieldWidget, node: FieldNode): boolean {
  return node.list !== undefined && (widget.name === 'one2many' || widget.name === 'many2many') && isToMany(field);
}

function isWide(field: ArchField, widget: FieldWidget, node: FieldNode): boolean {
  return isStacked(field, widget, node) || layoutOf(field, widget) !== undefined;
}

/** Too wide to be beside its label. */
function isStacked(field: ArchField, widget: FieldWidget, node: FieldNode): boolean {
  if (isToMany(field)) return widget.name !== 'tags' && (node.list !== undefined || widget.name !== 'many2many');
  return layoutOf(field, widget) === 'stacked';
}

function layoutOf(field: ArchField, widget: FieldWidget): FieldWidget['layout'] {
  const usual = widgetOf(field).layout;
  return usual === 'stacked' ? usual : (widget.layout ?? usual);
}
