import type { ArchField, Domain } from '@kontor/protocol';
import { useEffect, useMemo, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import './domain-editor.css';
import { operatorChoices } from './operators.ts';
import { RuleGroupBox } from './rule-group-box.tsx';
import {
  editItem,
  emptyGroup,
  firstField,
  incompleteRules,
  newRule,
  type RuleGroup,
  retakeRules,
  toDomain,
  toRules,
} from './rule-tree.ts';

export interface DomainEditorProps {
  readonly domain: Domain;
  readonly fields: readonly ArchField[];
  readonly onApply: (domain: Domain) => void;
  readonly onClose: () => void;
}

/** Conditions put together from fields and words. */
export function DomainEditor({ domain, fields, onApply, onClose }: DomainEditorProps) {
  const usable = useMemo(() => comparable(fields), [fields]);
  const [root, setRoot] = useState<RuleGroup>(() => startFrom(domain, usable));
  useEffect(() => setRoot((now) => retakeRules(now, usable)), [usable]);
  const [isTold, setTold] = useState(false);
  const incomplete = incompleteRules(root);
  const apply = () => {
    setTold(true);
    if (incomplete.length === 0) onApply(toDomain(root));
  };
  return (
    <Dialog
      title={t('Conditions')}
      width={720}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" onClick={apply}>
            {t('Search')}
          </Button>
        </>
      }
    >
      <RuleGroupBox
        group={root}
        fields={usable}
        invalid={new Set(isTold ? incomplete.map(({ key }) => key) : [])}
        depth={0}
        onEdit={(key, change) => setRoot((now) => editItem(now, key, change))}
      />
    </Dialog>
  );
}

export function comparable(fields: readonly ArchField[]): readonly ArchField[] {
  return fields
    .filter(({ searchable, type, name }) => searchable && name !== 'display_name' && operatorChoices(type).length > 0)
    .sort((one, other) => one.label.localeCompare(other.label));
}

/** An empty search begins with a row to fill in, at the field people look for most: the name. */
function startFrom(domain: Domain, fields: readonly ArchField[]): RuleGroup {
  const rules = toRules(domain, fields);
  const first = firstField(fields);
  return rules.items.length === 0 && first ? { ...emptyGroup('and'), items: [newRule(first)] } : rules;
}
