import { type Env, mayPersonRead, text } from '@kontor/addon';
import { authorName } from '../chatter/tell-mentioned.ts';
import { tellPerson } from '../chatter/tell-person.ts';
import { threadDetails } from '../chatter/thread.ts';

/** Tells people that something was given to them to do; not those who gave it to themselves. */
export async function tellAssignees(env: Env, ids: readonly number[]): Promise<void> {
  const activities = await env
    .sudo()
    .model('mail.activity')
    .read(ids, ['name', 'due_date', 'user_id', 'model', 'res_id', 'done', 'type_id.name']);
  const others = activities.filter((activity) => activity.user_id !== env.uid && !activity.done);
  if (others.length === 0) return;
  const author = await authorName(env);
  for (const activity of others) {
    const { model, res_id: id, user_id: uid } = activity;
    if (!(await mayPersonRead(env, uid, model, id))) continue;
    const thread = await threadDetails(env, { model, id });
    await tellPerson(env, uid, thread, {
      title: text('{type} for you', { type: activity['type_id.name'] ?? text('Activity') }),
      line: text('{author} gave you something to do about {name}:', { author, name: thread.name }),
      body: text('{name}, due {date}', { name: activity.name, date: activity.due_date }),
    });
  }
}
