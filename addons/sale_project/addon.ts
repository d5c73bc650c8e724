import { defineAddon } from '@kontor/addon';
import { orderProjects } from './models/order.ts';
import { projectOrder } from './models/project.ts';

export default defineAddon({ models: [projectOrder, orderProjects] });
