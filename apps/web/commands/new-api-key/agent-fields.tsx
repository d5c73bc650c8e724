import type { Named } from '../../fields/record-field.tsx';
import { mark, t } from '../../i18n/messages.ts';
import { Labelled, LabelledInput } from '../../ui/labelled.tsx';
import { PersonField } from './person-field.tsx';

/** Which changes of an agent need approval. */
export type Holding = 'all' | 'grave' | 'some' | 'none';

const holdings: readonly (readonly [Holding, string])[] = [
  ['all', mark('All need approval')],
  ['grave', mark('Deletions and actions need approval')],
  ['some', mark('Changes to some models need approval')],
  ['none', mark('All are applied at once')],
];

/** An agent that uses the key, and which of its changes need approval. */
export interface Agent {
  readonly name: string;
  readonly holding: Holding;
  /** Model names, as typed. */
  readonly models: string;
  /** Null: the user it acts for. */
  readonly approver: Named | null;
}

export const noAgent: Agent = { name: '', holding: 'all', models: '', approver: null };

interface AgentFieldsProps {
  readonly agent: Agent;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly onAgent: (agent: Agent) => void;
}

export function AgentFields({ agent, problems, onAgent }: AgentFieldsProps) {
  const change = (part: Partial<Agent>) => onAgent({ ...agent, ...part });
  const isHeld = agent.holding !== 'none';
  return (
    <>
      <AgentAndHolding {...{ agent, change }} problem={problems.agent?.join(' ')} />
      {agent.name.trim() !== '' && agent.holding === 'some' && (
        <LabelledInput
          label={t('Models')}
          hint={t('Model names, such as sale.order, crm.lead.')}
          problem={problems.held?.join(' ')}
          value={agent.models}
          onChange={(event) => change({ models: event.target.value })}
        />
      )}
      {agent.name.trim() !== '' && isHeld && (
        <PersonField
          label={t('Who approves')}
          hint={t('If empty, the person the key acts on behalf of.')}
          person={agent.approver}
          problem={problems.approver_id?.join(' ')}
          onChange={(approver) => change({ approver })}
        />
      )}
    </>
  );
}

interface AgentAndHoldingProps {
  readonly agent: Agent;
  readonly problem: string | undefined;
  readonly change: (part: Partial<Agent>) => void;
}

function AgentAndHolding({ agent: { name, holding }, problem, change }: AgentAndHoldingProps) {
  return (
    <>
      <LabelledInput
        label={t('Agent')}
        hint={t('If an AI agent uses this key, its name is recorded with each change.')}
        problem={problem}
        maxLength={40}
        placeholder={t('No agent')}
        value={name}
        onChange={(event) => change({ name: event.target.value })}
      />
      {name.trim() !== '' && (
        <Labelled label={t('Its changes')}>
          {(props) => (
            <select
              {...props}
              className="input"
              value={holding}
              onChange={(event) => change({ holding: event.target.value as Holding })}
            >
              {holdings.map(([value, label]) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
    </>
  );
}

const every = ['create', 'write', 'unlink', 'call'];

/** In the server's format; empty: no change needs approval. */
export function heldOf({ name, holding, models }: Agent): string {
  if (name.trim() === '' || holding === 'none') return '';
  if (holding !== 'some') return JSON.stringify({ '*': holding === 'all' ? every : ['unlink', 'call'] });
  return JSON.stringify(Object.fromEntries(modelNames(models).map((model) => [model, every])));
}

export function modelNames(typed: string): readonly string[] {
  return [...new Set(typed.split(/[\s,;]+/).filter(Boolean))];
}
