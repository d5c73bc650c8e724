import type { ArchField } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { domainWords } from './domain-words.ts';
import { RuleRow } from './rule-row.tsx';
import { emptyGroup, firstField, newRule, type RuleGroup, type RuleItem } from './rule-tree.ts';

interface RuleGroupBoxProps {
  readonly group: RuleGroup;
  readonly fields: readonly ArchField[];
  readonly invalid: ReadonlySet<number>;
  readonly depth: number;
  readonly onEdit: (key: number, change: (item: RuleItem) => RuleItem | null) => void;
}

const deepest = 3;

/** Conditions of which all must hold, or one is enough. */
export function RuleGroupBox({ group, fields, invalid, depth, onEdit }: RuleGroupBoxProps) {
  const put = (item: RuleItem) =>
    onEdit(group.key, (now) => (now.kind === 'group' ? { ...now, items: [...now.items, item] } : now));
  const setMode = (mode: 'and' | 'or') => onEdit(group.key, (now) => (now.kind === 'group' ? { ...now, mode } : now));
  const first = firstField(fields);
  return (
    <section className="rule-group" aria-label={depth === 0 ? t('Conditions') : t('Group of conditions')}>
      <div className="rule-mode">
        <span>{t('Show records where')}</span>
        <div className="seg" role="group" aria-label={t('How conditions combine')}>
          <button type="button" aria-pressed={group.mode === 'and'} onClick={() => setMode('and')}>
            {t('all hold')}
          </button>
          <button type="button" aria-pressed={group.mode === 'or'} onClick={() => setMode('or')}>
            {t('one holds')}
          </button>
        </div>
        {depth > 0 && (
          <IconButton icon="x" label={t('Remove the group')} onClick={() => onEdit(group.key, () => null)} />
        )}
      </div>
      <ul className="rules">
        {group.items.map((item) => (
          <Item key={item.key} {...{ item, fields, invalid, depth, onEdit }} />
        ))}
      </ul>
      <div className="rule-add">
        {first && (
          <Button kind="bare" icon="plus" onClick={() => put(newRule(first))}>
            {t('Add a condition')}
          </Button>
        )}
        {first && depth < deepest && (
          <Button
            kind="bare"
            icon="plus"
            onClick={() => put({ ...emptyGroup(group.mode === 'and' ? 'or' : 'and'), items: [newRule(first)] })}
          >
            {t('Add a group')}
          </Button>
        )}
      </div>
    </section>
  );
}

function Item({ item, ...rest }: Omit<RuleGroupBoxProps, 'group'> & { readonly item: RuleItem }) {
  const { fields, invalid, depth, onEdit } = rest;
  const remove = () => onEdit(item.key, () => null);
  if (item.kind === 'group') {
    return (
      <li>
        <RuleGroupBox {...rest} group={item} depth={depth + 1} />
      </li>
    );
  }
  if (item.kind === 'rule') {
    const change = (rule: RuleItem) => onEdit(item.key, () => rule);
    return (
      <RuleRow rule={item} {...{ fields }} isInvalid={invalid.has(item.key)} onChange={change} onRemove={remove} />
    );
  }
  const words = domainWords(item.node, fields);
  return (
    <li className="rule">
      <span className="rule-other">{words}</span>
      <IconButton icon="x" label={t('Remove {label}', { label: words })} onClick={remove} />
    </li>
  );
}
