const view = (name, action, type = name, more = '') => ({
  name,
  show: (page) => page.go(`/web?action=${action}&view_type=${type}${more}`),
});

/** What shows the business: figures, plans, places and boards. */
export const figureShots = [
  view('graph', 'crm.pipeline_analysis'),
  view('graph-turnover', 'sale.order_analysis', 'graph'),
  view('pivot', 'crm.pipeline_analysis'),
  view('cohort', 'sale.order_analysis'),
  view('calendar', 'calendar.meetings'),
  view('calendar-month', 'crm.pipeline', 'calendar', '&scale=month'),
  view('gantt', 'project.tasks'),
  view('map', 'contacts.partners'),
  {
    name: 'board',
    async show(page, { world }) {
      const [{ id }] = await world.rpc('sys.board', 'search_read', [[['name', '=', 'Sales']], ['id']], { limit: 1 });
      await page.go(`/web?model=sys.board&view_type=form&id=${id}`);
    },
  },
];
