import { mark, t } from '../../i18n/messages.ts';
import { Labelled } from '../../ui/labelled.tsx';

/** What an agent only proposes. */
export type Holding = 'all' | 'grave' | 'none';

const holdings: readonly (readonly [Holding, string])[] = [
  ['all', mark('All wait for approval')],
  ['grave', mark('Deletions and actions wait for approval')],
  ['none', mark('All happen at once')],
];

interface AgentFieldsProps {
  readonly agent: string;
  readonly holding: Holding;
  readonly problem: string | undefined;
  readonly onAgent: (agent: string) => void;
  readonly onHolding: (holding: Holding) => void;
}

/** The name of an agent that works with the key, and which of its changes the owner approves. */
export function AgentFields({ agent, holding, problem, onAgent, onHolding }: AgentFieldsProps) {
  return (
    <div className="new-key-pair">
      <Labelled
        label={t('Agent')}
        hint={t('If an AI agent works with it: its name marks each of its changes.')}
        problem={problem}
      >
        {(props) => (
          <input
            {...props}
            className="input"
            maxLength={40}
            placeholder={t('No agent')}
            value={agent}
            onChange={(event) => onAgent(event.target.value)}
          />
        )}
      </Labelled>
      {agent.trim() !== '' && (
        <Labelled label={t('Its changes')} hint={t('The person for whom it acts approves them.')}>
          {(props) => (
            <select
              {...props}
              className="input"
              value={holding}
              onChange={(event) => onHolding(event.target.value as Holding)}
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
    </div>
  );
}

const held: Readonly<Record<Holding, readonly string[]>> = {
  all: ['create', 'write', 'unlink', 'call'],
  grave: ['unlink', 'call'],
  none: [],
};

/** As the server takes it; empty: nothing is held. */
export function heldOf(agent: string, holding: Holding): string {
  return agent.trim() === '' || holding === 'none' ? '' : JSON.stringify({ '*': held[holding] });
}
