import { type DomainNode, parseDomain } from '@kontor/protocol';
import { useModelFields } from '../../data/model-fields.ts';
import { t } from '../../i18n/messages.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from '../define-field.ts';
import { TextEdit } from '../text.tsx';
import { readDomain } from './domain-value.ts';
import { domainWords } from './domain-words.ts';
import { useRelationNames } from './relation-names.ts';

export const domainField = defineField({
  name: 'domain',
  Read: DomainRead,
  Edit: DomainEdit,
  toText: domainText,
  width: 240,
  layout: 'stacked',
});

function domainText({ value }: FieldReadProps): string {
  const domain = readDomain(value);
  if (domain === null) return String(value);
  return domain.length === 0 ? t('All records') : domainWords(parseDomain(domain), []);
}

/** The conditions in words, with the labels of the model that they speak of. */
function DomainRead(props: FieldReadProps) {
  const { value, record, node, place } = props;
  const domain = readDomain(value);
  const model = String(record[String(node.options?.model ?? 'model')] ?? '');
  const isSaid = domain !== null && domain.length > 0 && place === 'form';
  const fields = useModelFields(model, isSaid);
  const tree: DomainNode[] = isSaid ? [parseDomain(domain)] : [];
  useRelationNames(tree, fields);
  return <>{tree[0] ? domainWords(tree[0], fields) : domainText(props)}</>;
}

const { Component: Editor } = lazyComponent<FieldEditProps>(
  async () => (await import('./domain-editor.tsx')).DomainRulesEdit,
);

function DomainEdit(props: FieldEditProps) {
  return props.place === 'form' ? <Editor {...props} /> : <TextEdit {...props} />;
}
