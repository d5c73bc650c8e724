import { type Env, text, UserError, wordsIn } from '@kontor/addon';
import { markdownToHtml } from '../chatter/markdown.ts';
import { addMessage } from '../chatter/post-message.ts';
import { threadDetails } from '../chatter/thread.ts';

const maxFeedback = 10_000;

/** Marks activities as done, once, and says so in the chatter. */
export async function finishActivities(env: Env, ids: readonly number[], feedback: string): Promise<void> {
  if (feedback.length > maxFeedback)
    throw new UserError(text('Feedback has at most {max} characters.', { max: maxFeedback }));
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
  // Everybody reads it; it is said in the words of whoever did it.
  const { say } = wordsIn(env, env.actor.lang, 'mail');
  for (const activity of open) {
    const thread = await threadDetails(env, { model: activity.model, id: activity.res_id });
    const done = say(text('{type} done:', { type: activity['type_id.name'] ?? text('Activity') }));
    const markdown = [`**${done}** ${activity.name}`, feedback].join('\n\n');
    await addMessage(
      env,
      thread,
      'system',
      markdownToHtml(markdown, () => null),
    );
  }
}
