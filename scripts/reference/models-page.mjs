import { definition, property, wholeFile } from './examples.mjs';
import { section, told } from './sections.mjs';

const of = (file) => (name) => [[`packages/orm/${file}`, name]];
const declared = of('model/definition.ts');
const behaviour = of('model/behaviour.ts');
const model = of('model/model.ts');
const bike = (path) => property('models/bike.ts', path);
const repair = (path) => property('models/repair.ts', path);

/** The text of docs/reference/models.md. */
export function modelsPage() {
  return `# Models

A model is declared with \`defineModel\`, and extended by another addon with \`inheritModel\`, which takes the same. Each part below stands in that
declaration. Names of fields, paths, states, groups and records are checked by the compiler.

${[
  section({
    title: 'All parts of a model',
    text: 'Everything but `fields` may be left out.',
    options: [[['packages/orm/model/define-model.ts', 'ModelSpec'], ...declared('ModelDefinition')]],
    skip: ['readersComment'],
    examples: [
      ...['order', 'displayName', 'indexes', 'chatter'].map(bike),
      definition('models/tour.ts', 'workshopSeat'),
      definition('models/line.ts', 'workshopLine'),
      property('models/tour.ts', 'companyRule'),
      definition('models/tour.ts', 'workshopLog'),
      definition('models/wish.ts', 'workshopWish'),
    ],
    // The rest has parts of its own below.
    also: ['bike', 'repair', 'line', 'tour'].map((name) => wholeFile(`models/${name}.ts`)),
  }),
  section({
    title: 'Computes',
    text: 'The value of a computed field, by its name. `depends` is what is loaded for all records at once and what makes the value stale, so `value` sees those paths and no others. It also runs on forms that are being filled in, where required values may be missing.',
    options: [behaviour('ComputeByValue'), behaviour('LineAggregates')],
    examples: [bike('computes')],
  }).replaceAll(' **Required.** |', ' |'),
  told({
    title: 'What an editable compute may know',
    text: 'The second argument of `value`. Values that are not editable are the same for everyone and get `registry` alone.',
    options: [behaviour('ComputeContext')],
    examples: [bike('computes.service_every'), bike('computes.taken_in')],
  }),
  told({
    title: 'Changes in a form',
    text: 'Asked when a field of a form was changed. It returns new values, or the long form under `answer`.',
    options: [behaviour('OnchangeSpec'), behaviour('HandlerAnswer')],
    skip: ['answer'],
    examples: [bike('onchange')],
  }),
  section({ title: 'Constraints', options: [behaviour('ConstraintSpec')], examples: [bike('constraints')] }),
  section({
    title: 'Circles',
    text: 'The tree of a `parent_id` is checked without a word.',
    options: [declared('AcyclicSpec')],
    examples: [property('models/line.ts', 'acyclic')],
  }),
  section({ title: 'Uniques', options: [behaviour('UniqueSpec')], examples: [bike('uniques')] }),
  told({
    title: 'States',
    text: 'Where a record can be. A plain `write` of the state passes when a move joins the two.',
    options: [declared('StatesSpec')],
    examples: [repair('states')],
  }),
  section({
    title: 'Stages',
    text: "Finer steps that people arrange. A required stage is filled in by the kernel; `FieldsOf<typeof repairFields, 'stage_id'>` tells the compiler.",
    options: [declared('StagesSpec')],
    examples: [repair('states.stages')],
  }),
  section({ title: 'Conditions', options: [behaviour('ConditionSpec')], examples: [repair('states.conditions')] }),
  told({
    title: 'Moves',
    text: 'Ways from some states to another, by name; `action_start` in views and over RPC. Several variants of a move are a list.',
    options: [declared('MoveSpec'), declared('AskingSpec')],
    examples: [repair('moves')],
  }),
  section({
    title: 'Actions',
    text: 'What `asks` are the fields of the dialog, and `answers` their values, cast and checked. A handler returns nothing, or the result of `open`.',
    options: [declared('ActionSpec'), declared('AskingSpec')],
    examples: [repair('actions')],
  }),
  told({
    title: 'The records of an action',
    options: [behaviour('RecordSet')],
    examples: [repair('actions.postpone'), repair('actions.show_bike')],
  }),
  told({
    title: 'Hooks',
    text: 'They run in the transaction of the change, with the rights of the caller. Values are cast before a hook sees them, and again when it returns others.',
    options: [model('HookSpec')],
    examples: [repair('hooks')],
  }),
  section({
    title: 'Due',
    text: 'Records that are in the day of people, on their home.',
    options: [model('DueSpec'), model('DueException')],
    examples: [repair('due'), property('models/tour.ts', 'due')],
  }),
  section({
    title: 'About',
    text: 'Records about records of any model, as messages and log entries are.',
    options: [model('AboutSpec')],
    examples: [property('models/tour.ts', 'about')],
  }),
  section({
    title: 'Served models',
    text: 'A model without rows of its own, which answers calls from outside with what others keep.',
    options: [model('ServedModel')],
    examples: [property('models/tour.ts', 'served')],
  }),
].join('\n\n')}
`;
}
