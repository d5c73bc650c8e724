import { defineText } from '@kontor/addon';

const values = {
  name: { label: 'Attendee', sample: 'Ingrid Solberg' },
  title: { label: 'Meeting', sample: 'Kick-off' },
  when: { label: 'When', sample: 'Monday, 25 October 2026, 10:00–11:00', needed: true },
} as const;

const note = 'The attached file tells your calendar.';

const accepted = defineText('mail.invitation_yes', {
  label: 'Invitation accepted',
  subject: 'Accepted: {title}',
  body: ['{name} accepted your invitation to {title}.', '{when}'],
  note,
  values,
});
const tentative = defineText('mail.invitation_maybe', {
  label: 'Invitation tentatively accepted',
  subject: 'Tentative: {title}',
  body: ['{name} tentatively accepted your invitation to {title}.', '{when}'],
  note,
  values,
});
const declined = defineText('mail.invitation_no', {
  label: 'Invitation declined',
  subject: 'Declined: {title}',
  body: ['{name} declined your invitation to {title}.', '{when}'],
  note,
  values,
});

/** What organisers of meetings get when somebody answers their invitation. */
export const invitationAnswers = { yes: accepted, maybe: tentative, no: declined } as const;
