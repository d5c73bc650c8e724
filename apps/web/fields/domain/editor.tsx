import type { Domain } from '@kontor/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useModelFields } from '../../data/model-fields.ts';
import { t } from '../../i18n/messages.ts';
import type { FieldEditProps } from '../define-field.ts';
import { JsonEdit } from '../json/edit.tsx';
import { TextEdit } from '../text/edit.tsx';
import { comparable } from './domain-editor.tsx';
import { readDomain } from './domain-value.ts';
import { useRelationNames } from './relation-names.ts';
import { RuleGroupBox } from './rule-group-box.tsx';
import { editItem, incompleteRules, type RuleGroup, retakeRules, toDomain, toRules } from './rule-tree.ts';
import { topConditions } from './top-conditions.ts';
import './styles.css';

/** Conditions on another model, put together from fields and words. What is no domain is edited as it is written. */
export function DomainEditor(props: FieldEditProps) {
  const { value, field } = props;
  const domain = useMemo(() => readDomain(value), [value]);
  if (domain) return <RulesEdit {...props} domain={domain} />;
  return field.type === 'json' ? <JsonEdit {...props} /> : <TextEdit {...props} />;
}

function RulesEdit(props: FieldEditProps & { readonly domain: Domain }) {
  const { domain, field, node, record, label, id, isInvalid, describedBy, onChange } = props;
  const model = String(record[String(node.options?.model ?? 'model')] ?? '');
  const all = useModelFields(model);
  const fields = useMemo(() => comparable(all), [all]);
  useRelationNames(topConditions(domain), fields);
  const [root, setRoot] = useState<RuleGroup>(() => toRules(domain, fields));
  const told = useRef(JSON.stringify(domain));
  useEffect(() => {
    const now = JSON.stringify(domain);
    // What this very editor told is on screen already, with the rows that are not filled in yet.
    if (now !== told.current) setRoot(toRules(domain, fields));
    else setRoot((before) => retakeRules(before, fields));
    told.current = now;
  }, [domain, fields]);
  const change = (next: RuleGroup) => {
    setRoot(next);
    const blank = new Set(incompleteRules(next).map(({ key }) => key));
    const whole = [...blank].reduce((group, key) => editItem(group, key, () => null), next);
    const made = toDomain(whole);
    told.current = JSON.stringify(made);
    onChange(field.type === 'json' ? made : made.length === 0 ? null : JSON.stringify(made));
  };
  return (
    <fieldset
      id={id}
      className="domain"
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
    >
      {root.items.length === 0 && <p className="dim">{t('All records')}</p>}
      <RuleGroupBox
        group={root}
        fields={fields}
        invalid={nothing}
        depth={0}
        onEdit={(key, edit) => change(editItem(root, key, edit))}
      />
    </fieldset>
  );
}

const nothing: ReadonlySet<number> = new Set();
