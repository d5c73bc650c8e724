import { functionText } from './examples.mjs';
import { membersOf } from './read-source.mjs';
import { addGap, fence } from './sections.mjs';

const typed = 'packages/orm/author/typed-env.ts';

/** The text of docs/reference/env.md. */
export function envPage() {
  const ofEnv = membersOf([typed, 'TypedEnv'], ['packages/orm/model/model.ts', 'Env']);
  for (const [name, member] of membersOf(['packages/orm/model/model.ts', 'Env'])) {
    if (!ofEnv.has(name) && name !== 'outside') ofEnv.set(name, member);
  }
  const ofRecords = membersOf([typed, 'ModelRecords'], ['packages/orm/model/records.ts', 'Records']);
  return `# env

The only handle to data: it has an actor and a transaction. Actions, hooks, jobs and routes receive it. Everything is read and written with the rights of
the actor; the compiler checks names and values.

## env

${[...ofEnv.values()].map((member) => part('env.', member)).join('\n\n')}

## env.model(name)

A domain is a list of conditions \`[path, operator, value]\`, all of which must hold; \`'|'\`, \`'&'\` and \`'!'\` are prefix operators. A path follows
relations with dots. Commands change lists: \`['create', values]\`, \`['update', id, values]\`, \`['link', id]\`, \`['unlink', id]\`,
\`['delete', id]\`, \`['set', ids]\` and \`['clear']\`.

${[...ofRecords.values()].map((member) => part('', member)).join('\n\n')}
`;
}

function part(prefix, { name, doc }) {
  if (doc === '') addGap(`${prefix}${name} has no comment`);
  return `### \`${prefix}${name}\`\n${doc}\n\n${fence('ts', functionText('using-env.ts', name))}`;
}
