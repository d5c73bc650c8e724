import { defineText } from '@kontor/addon';

const meeting = {
  name: { label: 'Meeting', sample: 'Kick-off' },
  when: { label: 'When', sample: 'Monday, 25 October 2026, 10:00–11:00', needed: true },
  place: { label: 'Place', sample: 'Room 3', optional: true },
} as const;

export const meetingInvitation = defineText('calendar.invitation', {
  label: 'Invitation to a meeting',
  subject: 'Invitation: {name}',
  body: ['{organiser} invites you to a meeting: {name}', '{when}', '{place}', '{video}'],
  note: 'Open the attached file to add it to your calendar.',
  values: {
    ...meeting,
    organiser: { label: 'Organiser', sample: 'Aiko Tanaka' },
    video: { label: 'Video call', sample: 'https://meet.example.com/kick-off', optional: true },
  },
});

export const meetingReminder = defineText('calendar.reminder', {
  label: 'Reminder of a meeting',
  subject: 'Reminder: {name}',
  body: ['{name}', '{when}', '{place}'],
  button: 'Open {name}',
  values: meeting,
});
