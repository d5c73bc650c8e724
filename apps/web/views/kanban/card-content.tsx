import type { Arch, ArchField, FieldNode } from '@kontor/protocol';
import { holds } from '../../data/condition.ts';
import type { RecordValues } from '../../data/rpc.ts';
import { pictureSource } from '../../fields/image/picture-type.ts';
import { widgetOf } from '../../fields/registry.ts';
import { ValueRead, valueText } from '../../fields/value.tsx';
import { Avatar } from '../../ui/parts.tsx';

interface Shown {
  readonly node: FieldNode;
  readonly field: ArchField;
}

/** What a card says under its title: lines, then one row with the amount, the stars and the person. */
export function CardContent({ arch, record }: { readonly arch: Arch; readonly record: RecordValues }) {
  const card = arch.kanban?.card;
  if (!card) return null;
  const lines = shownFields(arch, card.lines, record);
  const footer = shownFields(arch, card.footer, record);
  const amounts = lines.filter(isAmount);
  // A single amount stands in the last row; several need their labels.
  const isRow = amounts.length === 1;
  const value = ({ field, node }: Shown) => (
    <ValueRead {...{ field, node, record }} model={arch.model} place="kanban" />
  );
  const ends = footer.filter(isPerson);
  const starts = footer.filter((one) => !isPerson(one));
  const image = card.image ? pictureSource(record[card.image]) : null;
  return (
    <>
      {image && <img className="kanban-image" src={image} alt="" loading="lazy" draggable={false} />}
      {lines
        .filter((line) => !isAmount(line))
        .map((line) => (
          <div key={line.node.name} className="kanban-line" data-type={line.field.type}>
            {value(line)}
          </div>
        ))}
      {!isRow && amounts.length > 0 && (
        <dl className="kanban-amounts">
          {amounts.map((line) => (
            <div key={line.node.name}>
              <dt>{line.node.label ?? line.field.label}</dt>
              <dd>{value(line)}</dd>
            </div>
          ))}
        </dl>
      )}
      {(starts.length > 0 || ends.length > 0 || isRow) && (
        <div className="kanban-foot">
          {starts.map((one) => (
            <span key={one.node.name} className="kanban-fact">
              {isNumber(one) && <span className="dim">{one.node.label ?? one.field.label} </span>}
              {value(one)}
            </span>
          ))}
          <span className="kanban-end">
            {isRow && amounts.map((one) => <span key={one.node.name}>{value(one)}</span>)}
            {ends.map((one) => (
              <Person key={one.node.name} arch={arch} record={record} shown={one} />
            ))}
          </span>
        </div>
      )}
    </>
  );
}

function Person({ arch, record, shown }: { arch: Arch; record: RecordValues; shown: Shown }) {
  const { field, node } = shown;
  const name = valueText({ field, node, model: arch.model, record, place: 'kanban' });
  return (
    <span className="kanban-person" title={name}>
      <Avatar name={name} size="s" />
      <span className="sr-only">{name}</span>
    </span>
  );
}

function shownFields(arch: Arch, nodes: readonly FieldNode[], record: RecordValues): readonly Shown[] {
  return nodes.flatMap((node) => {
    const field = arch.fields.find(({ name }) => name === node.name);
    if (!field || isEmpty(record[node.name]) || holds(node.invisible, record, arch.fields)) return [];
    return [{ node, field }];
  });
}

function isAmount({ field, node }: Shown): boolean {
  return isNumber({ field, node }) && (node.widget === undefined || node.widget === 'monetary');
}

function isNumber({ field, node }: Shown): boolean {
  return widgetOf(field, node.widget).align === 'end';
}

function isPerson({ field }: Shown): boolean {
  return field.type === 'many2one' && field.relation === 'core.user';
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
