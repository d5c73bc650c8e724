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

A model is declared with \`defineModel\`, and extended by another addon with \`inheritModel\`, which takes the same options. The parts below belong to that
declaration. Names of fields, paths, states, groups and records are checked by the compiler.

${[
  section({
    title: 'All parts of a model',
    text: 'All except `fields` are optional.',
    options: [[['packages/orm/model/define-model.ts', 'ModelSpec'], ...declared('ModelDefinition')]],
    skip: ['readersComment'],
    examples: [
      ...['order', 'displayName', 'indexes', 'chatter'].map(bike),
      definition('models/tour.ts', 'workshopSeat'),
      definition('models/line.ts', 'workshopLine'),
      property('models/tour.ts', 'companyRule'),
      definition('models/tour.ts', 'workshopLog'),
      definition('models/wish.ts', 'workshopWish'),
      property('models/team.ts', 'cached'),
    ],
    // The rest has parts of its own below.
    also: ['bike', 'repair', 'line', 'tour'].map((name) => wholeFile(`models/${name}.ts`)),
  }),
  section({
    title: 'Computes',
    text: 'The values of computed fields, by name. The paths in `depends` are loaded for all records at once, and a change in one of them makes the value stale; `value` sees only these paths. It also runs on forms that are being filled in, so every value may be null, also that of a required field. It may return null only if its own field declares `required: false`, or is editable.',
    options: [behaviour('ComputeByValue'), behaviour('ComputeByFormula'), behaviour('LineAggregates')],
    examples: [bike('computes')],
  }).replaceAll(' **Required.** |', ' |'),
  told({
    title: 'Context of an editable compute',
    text: 'The second argument of `value`. Values that are not editable are the same for everyone and get `registry` and `today` alone.',
    options: [behaviour('ComputeContext')],
    examples: [bike('computes.service_every'), bike('computes.taken_in')],
  }),
  told({
    title: 'Changes in a form',
    text: 'Runs when a field of a form changes. It returns new values, or `answer` with more.',
    options: [behaviour('OnchangeSpec'), behaviour('HandlerAnswer')],
    skip: ['answer'],
    examples: [bike('onchange')],
  }),
  told({
    title: 'Constraints',
    text: 'Each has a `message` and either `on` and `holds` or a `formula`. By default a formula is checked when a field of the record changes that it reads, not when linked records do.',
    options: [behaviour('ConstraintSpec'), behaviour('FormulaCheck')],
    examples: [bike('constraints')],
  }),
  told({
    title: 'The form in which values are stored',
    text: 'Runs before values are written, for each record, and in forms.',
    options: [behaviour('NormaliseSpec'), behaviour('NormaliseContext')],
    examples: [property('models/tour.ts', 'normalise')],
  }),
  section({
    title: 'Ranges that must not overlap',
    text: 'Enforced by an exclusion constraint of the database.',
    options: [behaviour('ExcludeSpec')],
    examples: [property('models/tour.ts', 'excludes')],
  }),
  section({
    title: 'Cycles',
    text: 'The tree of a `parent_id` is always checked.',
    options: [declared('AcyclicSpec')],
    examples: [property('models/line.ts', 'acyclic')],
  }),
  section({ title: 'Uniques', options: [behaviour('UniqueSpec')], examples: [bike('uniques')] }),
  told({
    title: 'States',
    text: 'The states of a record. A plain `write` of the state is allowed if a move connects the two states.',
    options: [declared('StatesSpec')],
    examples: [repair('states')],
  }),
  section({
    title: 'Stages',
    text: "Finer steps that users arrange. The kernel sets a required stage; `FieldsOf<typeof repairFields, 'stage_id'>` tells the compiler.",
    options: [declared('StagesSpec')],
    examples: [repair('states.stages')],
  }),
  section({ title: 'Conditions', options: [behaviour('ConditionSpec')], examples: [repair('states.conditions')] }),
  told({
    title: 'Moves',
    text: "Transitions between states, by name; `action_start` in views and over RPC. A list declares several variants of a move. An `inheritModel` that adds a state lets a move start there with `{ from: 'parked', inherits: true }`.",
    options: [declared('MoveSpec'), declared('AskingSpec')],
    skip: ['inherits'],
    examples: [repair('moves')],
  }),
  section({
    title: 'Actions',
    text: '`asks` are the fields of a dialog, and `answers` their values, cast and checked. A handler returns nothing, or the result of `open`.',
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
    text: 'They run in the transaction of the change, with the rights of the caller. Values are cast before a hook receives them, and again after it returns others.',
    options: [model('HookSpec')],
    examples: [repair('hooks')],
  }),
  section({
    title: 'Due',
    text: 'Due records, shown on the home screen of the users responsible.',
    options: [model('DueSpec'), model('DueException')],
    examples: [repair('due'), property('models/tour.ts', 'due')],
  }),
  section({
    title: 'Timeline',
    text: 'Records in the timeline of another record, such as a contact, by kind.',
    options: [of('model/timeline-spec.ts')('TimelineSpec')],
    examples: [repair('timeline'), property('models/tour.ts', 'timeline')],
  }),
  section({
    title: 'Mail',
    text: 'What an e-mail to an alias of the company creates. The e-mail and its files are also in the chatter of the new record.',
    options: [of('model/mail-spec.ts')('MailSpec')],
    examples: [property('models/bike.ts', 'mail')],
  }),
  section({
    title: 'Portal',
    text: 'What customers see of the records on their page, and what they may do there. The addon `portal` serves the pages.',
    options: ['PortalSpec', 'PortalLines', 'PortalMove', 'PortalPayment', 'PortalDocument'].map(
      of('model/portal-spec.ts'),
    ),
    examples: [repair('portal')],
  }),
  section({
    title: 'About',
    text: 'For records about records of any model, such as messages and log entries.',
    options: [of('model/timeline-spec.ts')('AboutSpec')],
    examples: [property('models/tour.ts', 'about')],
  }),
  section({
    title: 'Served models',
    text: 'A model without rows, whose handlers answer calls from data stored elsewhere.',
    options: [model('ServedModel')],
    examples: [property('models/tour.ts', 'served')],
  }),
].join('\n\n')}
`;
}
