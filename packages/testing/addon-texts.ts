import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddonDefinition } from '@kontor/kernel';
import { labelFromName, type ModelDefinition } from '@kontor/orm';

const shownAttributes = /\b(?:label|placeholder|confirm|help|sum|avg)="([^"]*)"/g;
const shownText = /<text\b[^>]*>([^<]+)<\/text>/g;
const userErrors = /new UserError\(\s*'((?:[^'\\]|\\.)+)'/g;
const clientWords = /\bt\(\s*'((?:[^'\\]|\\.)+)'/g;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Every text of an addon that people read: labels, help and messages of its models, the words in its views, and what it refuses with. */
export async function addonTexts(folder: string): Promise<ReadonlySet<string>> {
  const { default: addon } = (await import(/* @vite-ignore */ join(folder, 'addon.ts'))) as {
    default: AddonDefinition;
  };
  return new Set(
    [
      ...addon.models.flatMap(modelTexts),
      ...Object.values(addon.views).map(({ label }) => label),
      ...viewTexts(folder),
      ...codeTexts(folder),
      ...clientTexts(folder),
    ].filter((text) => text !== ''),
  );
}

/** What the browser code says is marked so in the wordbook: `msgctxt "client"`. */
export function clientText(text: string): string {
  return `client: ${text}`;
}

function modelTexts({ label, fields, constraints, stateMachine }: ModelDefinition): string[] {
  const moves = Object.values(stateMachine?.moves ?? {}).flatMap((targets) => Object.values(targets));
  return [
    label ?? '',
    ...Object.entries(fields).flatMap(([name, field]) => [
      field.label ?? labelFromName(name),
      field.help ?? '',
      ...Object.values(field.selection ?? {}),
    ]),
    ...Object.values(constraints).map(({ message }) => message),
    ...Object.values(stateMachine?.conditions ?? {}).map(({ message }) => message),
    ...moves.flatMap((move) => move.refusal ?? []),
  ];
}

function viewTexts(folder: string): string[] {
  const files = readdirSync(folder).includes('views') ? readdirSync(join(folder, 'views')) : [];
  return files.flatMap((file) => {
    const xml = readFileSync(join(folder, 'views', file), 'utf8');
    const shown = [...xml.matchAll(shownAttributes), ...xml.matchAll(shownText)];
    return shown.map(([, text = '']) => text.replaceAll(/&(\w+);/g, (whole, name) => entities[name] ?? whole).trim());
  });
}

function codeTexts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^(?:tests|node_modules|client)\//.test(file))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(userErrors)])
    .map(([, text = '']) => text.replaceAll("\\'", "'"));
}

function clientTexts(folder: string): string[] {
  if (!readdirSync(folder).includes('client')) return [];
  return readdirSync(join(folder, 'client'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(join(folder, 'client', file), 'utf8').matchAll(clientWords)])
    .map(([, text = '']) => clientText(text.replaceAll("\\'", "'")));
}
