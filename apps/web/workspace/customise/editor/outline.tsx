import type { CustomisePreview } from '@kontor/protocol';
import { type CSSProperties, useState } from 'react';
import { t } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Badge } from '../../../ui/parts.tsx';
import { canMove, type OutlineRow, type Place } from './places.ts';

export interface OutlineProps {
  readonly preview: CustomisePreview;
  readonly rows: readonly OutlineRow[];
  readonly selected: string | null;
  /** Where the dragged element would be dropped. */
  readonly drop: Place | null;
  readonly onSelect: (xpath: string) => void;
  readonly onAddField: (name: string) => void;
  readonly onAddPart: (tag: 'group' | 'page') => void;
}

/** The elements of the screen in order, and the fields that are not on it. */
export function Outline({ preview, rows, selected, drop, onSelect, onAddField, onAddPart }: OutlineProps) {
  const labels = labelsOf(preview);
  const isForm = preview.root.tag === 'form';
  return (
    <div className="stack gap-4 pad-3">
      <section className="stack gap-1" aria-label={t('On this screen')}>
        <h3 className="small strong">{t('On this screen')}</h3>
        <ul>
          {rows.map((row) => (
            <li key={row.node.xpath}>
              <Row {...{ row, drop, labels }} isSelected={row.node.xpath === selected} onSelect={onSelect} />
            </li>
          ))}
        </ul>
        {isForm && (
          <div className="row wrap gap-2">
            <Button icon="group" onClick={() => onAddPart('group')}>
              {t('Add a group')}
            </Button>
            <Button icon="layers" onClick={() => onAddPart('page')}>
              {t('Add a tab')}
            </Button>
          </div>
        )}
      </section>
      <Palette {...{ preview, rows, onAddField }} />
    </div>
  );
}

type PaletteProps = Pick<OutlineProps, 'preview' | 'rows' | 'onAddField'>;

/** The fields that are not on the screen. */
function Palette({ preview, rows, onAddField }: PaletteProps) {
  const [wanted, setWanted] = useState('');
  const shown = new Set(rows.filter(({ parent }) => parent.tag !== 'list' || parent === preview.root).map(nameOf));
  const search = wanted.trim().toLowerCase();
  const others = preview.fields.filter(
    ({ name, label }) => !shown.has(name) && `${label} ${name}`.toLowerCase().includes(search),
  );
  return (
    <section className="stack gap-1" aria-label={t('Not on this screen')}>
      <h3 className="small strong">{t('Not on this screen')}</h3>
      <input
        className="input"
        type="search"
        aria-label={t('Find a field')}
        placeholder={t('Find a field')}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      <ul>
        {others.map(({ name, label, isOwn }) => (
          <li key={name}>
            <button
              type="button"
              className="row gap-1 full no-border round-s bare start hovers marks editor-row"
              data-drag-item={`new:${name}`}
              data-label={label}
              title={name}
              onClick={() => onAddField(name)}
            >
              <Icon name="plus" size={14} />
              <span className="cut">{label}</span>
              {isOwn && <Badge look="info">{t('Added')}</Badge>}
            </button>
          </li>
        ))}
      </ul>
      {others.length === 0 && <p className="small mut">{t('No fields found.')}</p>}
    </section>
  );
}

interface RowProps {
  readonly row: OutlineRow;
  readonly drop: Place | null;
  readonly labels: ReadonlyMap<string, string>;
  readonly isSelected: boolean;
  readonly onSelect: (xpath: string) => void;
}

function Row({ row, drop, labels, isSelected, onSelect }: RowProps) {
  const { node, depth } = row;
  const isTarget = drop?.expr === node.xpath;
  const label = labelOf(row, labels);
  return (
    <button
      type="button"
      className={`row gap-1 full no-border round-s bare start hovers marks editor-row ${isTarget ? `editor-drop-${drop?.position}` : ''}`}
      style={{ '--depth': depth } as CSSProperties}
      data-drag-item={canMove(row) ? node.xpath : undefined}
      data-node={node.xpath}
      data-label={label}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => onSelect(node.xpath)}
    >
      {canMove(row) && <Icon name="grip-vertical" size={14} />}
      <span className={node.tag === 'field' ? 'cut' : 'cut strong'}>{label}</span>
      {node.attributes.invisible === 'true' && <Badge>{t('Hidden')}</Badge>}
    </button>
  );
}

/** What people call fields, and columns of lines by their path. */
export function labelsOf({ fields, columns }: CustomisePreview): ReadonlyMap<string, string> {
  return new Map([...fields.map(({ name, label }) => [name, label] as const), ...Object.entries(columns)]);
}

/** What people call an element. */
export function labelOf({ node, lines }: OutlineRow, labels: ReadonlyMap<string, string>): string {
  if (node.label) return node.label;
  const name = node.name ?? '';
  if (node.tag === 'field') return labels.get(lines === null ? name : `${lines}.${name}`) ?? name;
  const words: Readonly<Record<string, string>> = {
    group: t('Group'),
    notebook: t('Tabs'),
    separator: t('Line'),
    text: t('Text'),
    title: t('Title'),
    subtitle: t('Under the title'),
    card: t('Card'),
    footer: t('Foot of the card'),
    list: t('Columns'),
  };
  return words[node.tag] ?? node.tag;
}

function nameOf({ node }: OutlineRow): string {
  return node.tag === 'field' ? (node.name ?? '') : '';
}
