import { answer, type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/addon';

const loanFields = {
  name: fields.char({ required: true, label: 'Piece' }),
  state: fields.selection({ asked: 'Asked', out: 'Out', back: 'Back' }),
  step_id: fields.many2one('gallery.step', { required: true, label: 'Step' }),
  sequence: fields.integer({ default: 10 }),
  borrower: fields.char({}),
  due: fields.date({}),
  tag_ids: fields.many2many('gallery.tag', { label: 'Tags' }),
  artist_id: fields.many2one('gallery.artist', { label: 'Artist' }),
  note: fields.text({}),
};
export interface GalleryLoan extends FieldsOf<typeof loanFields, 'step_id' | 'state'> {}
export interface GalleryLoanCalls extends CallsOf<typeof galleryLoan> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.loan': GalleryLoan;
  }
  interface Calls {
    'gallery.loan': GalleryLoanCalls;
  }
}

/** Loans go out by a move that asks, and come back by one of two. */
export const galleryLoan = defineModel('gallery.loan', {
  label: 'Loan',
  order: 'sequence, id',
  fields: loanFields,
  constraints: {
    lent_to_somebody: {
      on: ['borrower'],
      holds: (loan) => loan.borrower !== 'Nobody',
      message: 'Say who takes it.',
      field: 'borrower',
    },
  },
  states: {
    field: 'state',
    initial: 'asked',
    locks: { out: ['name', 'borrower'] },
    stages: { field: 'step_id', state: (step) => step.state },
  },
  moves: {
    lend: {
      from: 'asked',
      to: 'out',
      label: 'Lend',
      icon: 'send',
      asks: {
        borrower: fields.char({ label: 'Borrower', required: true }),
        due: fields.date({ label: 'Until' }),
        tag_ids: fields.many2many('gallery.tag', { label: 'Tags' }),
        artist_id: fields.many2one('gallery.artist', { label: 'Artist' }),
      },
      async proposes({ records }) {
        const [loan] = await records.load('tag_ids', 'artist_id');
        return { value: { due: '2026-12-24', artist_id: loan?.artist_id?.id ?? null } };
      },
      sets: { borrower: answer, due: answer, artist_id: answer },
      async run({ env, records, answers }) {
        await env.model('gallery.loan').write(records.ids, { tag_ids: [['set', answers.tag_ids]] });
      },
    },
    take_back: { from: 'out', to: 'back', label: 'Take back', icon: 'undo-2' },
    write_off: {
      from: 'out',
      to: 'back',
      label: 'Write off',
      danger: true,
      warns: 'Nobody will look for it any more.',
      undo: false,
    },
    ask_again: { from: 'back', to: 'asked', label: 'Ask again' },
  },
});
