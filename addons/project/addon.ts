import { defineAddon } from '@kontor/addon';
import { projectTaskItem } from './models/checklist.ts';
import { incomingTask } from './models/incoming.ts';
import { partnerProjects } from './models/partner.ts';
import { projectProject } from './models/project.ts';
import { projectSettings } from './models/settings.ts';
import { projectStage } from './models/stage.ts';
import { projectTag } from './models/tag.ts';
import { projectTask } from './models/task.ts';
import { projectTime } from './models/time.ts';
import { projectTimer } from './models/timer.ts';

export type * from './models/project.ts';
export type * from './models/task.ts';
export type * from './models/time.ts';

export default defineAddon({
  models: [
    projectTag,
    projectStage,
    projectProject,
    projectTask,
    projectTaskItem,
    projectTime,
    projectTimer,
    ...projectSettings,
    partnerProjects,
    incomingTask,
  ],
  views: { project_week: { label: 'Week', icon: 'clock' } },
  widgets: {
    hours_bar: { types: ['decimal', 'float', 'integer'], doc: 'Spent hours against planned ones.' },
  },
});
