import { type Env, UserError } from '@kontor/addon';
import { markdownToHtml } from '../chatter/markdown.ts';
import { addMessage } from '../chatter/post-message.ts';
import { threadDetails } from '../chatter/thread.ts';

const maxFeedback = 10_000;

/** Marks activities as done, once, and says so in the chatter. */
export async function finishActivities(env: Env, ids: readonly number[], feedback: string): Promise<void> {
  if (feedback.length > maxFeedback) throw new UserError(`Feedback has at most ${maxFeedback} characters.`);
  const activities = env.sudo().model('mail.activity');
  const open = await activities.searchRead(
    [
      ['id', 'in', [...ids]],
      ['done', '=', false],
    ],
    ['name', 'model', 'res_id', 'type_id.name'],
  );
  if (open.length < ids.length) throw new UserError('This is done already.');
  await activities.write(ids, { done: true, done_at: env.now.toISOString(), feedback: feedback || null });
  for (const activity of open) {
    const thread = await threadDetails(env, { model: activity.model, id: activity.res_id });
    const text = [`**${activity['type_id.name'] ?? 'Activity'} done:** ${activity.name}`, feedback].join('\n\n');
    await addMessage(
      env,
      thread,
      'system',
      markdownToHtml(text, () => null),
    );
  }
}
