import { domainOperators, domainTokens } from '@kontor/protocol';
import { clientWidgets, grammar } from '@kontor/views';
import type { DataRecord } from './data/data-record.ts';

/**
 * The vocabulary of this version in rules, actions and views: tokens and operators of domains, tags with their
 * attributes, and widgets. An upgrade stores it in the database, for the next upgrade to compare its records with.
 */
export function codeWords(): readonly string[] {
  const tags = Object.values(grammar).flatMap(({ tag, attributes }) => [
    `<${tag}>`,
    ...Object.keys(attributes).map((name) => `<${tag} ${name}>`),
  ]);
  const widgets = [...clientWidgets.keys()].map((name) => `widget ${name}`);
  return [...new Set([...domainTokens, ...domainOperators, ...tags, ...widgets])].sort();
}

/** Earlier versions did not store their vocabulary: it is everything except what has been added since. */
export function wordsBefore(): readonly string[] {
  return codeWords().filter((word) => word !== '$groups');
}

/** The vocabulary that a record uses, of what this code knows at all. */
export function wordsOf(record: DataRecord): readonly string[] {
  const known = new Set(codeWords());
  const words = new Set<string>();
  for (const { value } of record.fields) {
    const text = value.kind === 'text' ? value.text : value.kind === 'json' ? JSON.stringify(value.json) : '';
    for (const word of wordsIn(text.replaceAll('&quot;', '"'))) if (known.has(word)) words.add(word);
  }
  return [...words];
}

function* wordsIn(text: string): Generator<string> {
  for (const [, token = ''] of text.matchAll(/"(\$[a-z_]+)(?:[+-]\d+)?"/g)) yield token;
  for (const [, operator = ''] of text.matchAll(/\[\s*"[\w.]+"\s*,\s*"([^"]+)"\s*,/g)) yield operator;
  for (const [, tag = '', attributes = ''] of text.matchAll(/<([a-z][a-z-]*)((?:\s+[\w-]+=(?:"[^"]*"|'[^']*'))*)/g)) {
    yield `<${tag}>`;
    for (const [, name = '', double = '', single = ''] of attributes.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)')/g)) {
      yield `<${tag} ${name}>`;
      if (name === 'widget') yield `widget ${double || single}`;
    }
  }
}
