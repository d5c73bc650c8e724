import { defineField, type FieldReadProps, formatMoney, t } from '@kontor/client';
import './budget-bar.css';

/** An amount against its budget: `options='{"budget": "budget_amount"}'` names the field with the budget. */
export const budgetBarField = defineField({
  name: 'budget_bar',
  Read: BudgetBar,
  Edit: null,
  toText: (props) => sentence(budgetOf(props)),
  width: 220,
});

function BudgetBar(props: FieldReadProps) {
  const budget = budgetOf(props);
  const { spent, planned, say } = budget;
  const whole = Math.max(spent, planned);
  const part = (value: number) => ({ inlineSize: `${whole > 0 ? (100 * value) / whole : 0}%` });
  const isOver = planned > 0 && spent > planned;
  return (
    <span className="inline-row gap-2 full progress project-invoice-budget" role="img" aria-label={sentence(budget)}>
      {planned > 0 && (
        <span className="line share round-3 clip muted meter">
          <span className="bg-accent" style={part(Math.min(spent, planned))} />
          {isOver && <span className="bg-bad" style={part(spent - planned)} />}
        </span>
      )}
      <span className={`num ${isOver ? 'bad' : ''}`}>
        {planned > 0 ? `${say(spent)} / ${say(planned)}` : say(spent)}
      </span>
    </span>
  );
}

interface Budget {
  readonly spent: number;
  readonly planned: number;
  readonly say: (amount: number) => string;
}

function budgetOf({ value, record, node, field }: FieldReadProps): Budget {
  const beside = node.options?.budget;
  const code = field.currency ? record[`${field.currency}.display_name`] : null;
  return {
    spent: Number(value ?? 0),
    planned: Number((typeof beside === 'string' && record[beside]) || 0),
    say: (amount) => formatMoney(amount, typeof code === 'string' ? code : null),
  };
}

function sentence({ spent, planned, say }: Budget): string {
  const words = { spent: say(spent), planned: say(planned) };
  if (planned <= 0) return words.spent;
  if (spent <= planned) return t('{spent} of {planned}', words);
  return t('{spent} of {planned}, {over} over', { ...words, over: say(spent - planned) });
}
