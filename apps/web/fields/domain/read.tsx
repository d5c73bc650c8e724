import { parseDomain } from '@kontor/protocol';
import { useModelFields } from '../../data/model-fields.ts';
import type { FieldReadProps } from '../define-field.ts';
import { readDomain } from './domain-value.ts';
import { domainWords } from './domain-words.ts';
import { useRelationNames } from './relation-names.ts';

/** The conditions in words; in a form with the field labels of their model. */
export function DomainInWords({ value, record, node, place }: FieldReadProps) {
  const model = String(record[String(node.options?.model ?? 'model')] ?? '');
  const fields = useModelFields(model, place === 'form');
  const tree = parseDomain(readDomain(value) ?? []);
  useRelationNames([tree], fields);
  return domainWords(tree, fields);
}
