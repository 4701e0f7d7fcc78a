// SPDX-License-Identifier: MIT
/* The keys of `seekless top`. */
#ifdef HAVE_NCURSES

#include <ncurses.h>

#include "top_view.h"

/* ---- what is selected ---- */

static void select_row(struct view *v, size_t row)
{
	size_t n = v->watch->n;

	v->row = row < n ? row : n ? n - 1 : 0;
	if (n && v->pid != v->watch->shown[v->row]->p.pid)
		v->first_line = 0;
	v->pid = n ? v->watch->shown[v->row]->p.pid : 0;
}

void view_order(struct view *v)
{
	order_apply(&v->order, v->watch);
	for (size_t i = 0; v->follows && i < v->watch->n; i++)
		if (v->watch->shown[i]->p.pid == v->pid)
			v->row = i;
	select_row(v, v->row);
}

/* ---- keys ---- */

static void change_interval(struct view *v, bool longer)
{
	static const double steps[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600};
	enum { STEPS = sizeof(steps) / sizeof(*steps) };

	if (longer) {
		for (int i = STEPS - 1; i >= 0 && steps[i] > v->interval; i--)
			if (i == 0 || steps[i - 1] <= v->interval) {
				v->interval = steps[i];
				return;
			}
	} else {
		for (int i = 0; i < STEPS && steps[i] < v->interval; i++)
			if (i + 1 == STEPS || steps[i + 1] >= v->interval) {
				v->interval = steps[i];
				return;
			}
	}
}

static void move_key(struct view *v, int key)
{
	size_t step = key == KEY_UP || key == KEY_DOWN ? 1 : v->page ? v->page : 1;

	v->follows = key != KEY_HOME || v->detail;
	if (key == KEY_HOME)
		select_row(v, 0);
	else if (key == KEY_END)
		select_row(v, v->watch->n);
	else if (key == KEY_UP || key == KEY_PPAGE)
		select_row(v, v->row > step ? v->row - step : 0);
	else
		select_row(v, v->row + step);
}

static void order_key(struct view *v, int key)
{
	if (key == 'r')
		v->order.reverse = !v->order.reverse;
	else
		order_step(&v->order, key == '<' ? -1 : 1);
	view_order(v);
}

bool view_key(struct view *v, int key)
{
	if (v->help && key != 'q' && key != KEY_RESIZE) {
		v->help = false;
		return false;
	}
	switch (key) {
	case 'q':
		v->quits = true;
		break;
	case ' ':
		return true;
	case 'p':
		v->paused = !v->paused;
		return !v->paused;
	case 'h':
	case '?':
		v->help = true;
		break;
	case '\n':
	case '\r':
	case KEY_ENTER:
	case 'd':
		v->detail = !v->detail;
		v->follows |= v->detail;
		break;
	case '[':
		v->first_line -= v->first_line > 0;
		break;
	case ']':
		v->first_line++;
		break;
	case '<':
	case '>':
	case 's':
	case 'r':
		order_key(v, key);
		break;
	case '+':
	case '-':
		change_interval(v, key == '+');
		break;
	case KEY_UP:
	case KEY_DOWN:
	case KEY_PPAGE:
	case KEY_NPAGE:
	case KEY_HOME:
	case KEY_END:
		move_key(v, key);
		break;
	}
	return false;
}

#endif
