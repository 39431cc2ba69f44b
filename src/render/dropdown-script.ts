/**
 * The script of lists that lead to what is chosen in them (archives, terms). Its text is always the same, so that a page may allow it by
 * its digest; what differs stands in an attribute of its element.
 *
 * With the mouse a choice leads on at once; with the keyboard, where each step through a closed list is a choice, Enter does.
 */
import { escapeHtml } from '../kernel/model/escape.ts';

export const dropdownScript = `
(function () {
	var script = document.currentScript, list = script.previousElementSibling, isStep = false;
	function go() {
		if (!list.value || list.value === '-1') return;
		var home = script.getAttribute('data-home');
		if (home === null) return location.assign(list.value);
		var to = new URL(home);
		to.searchParams.set(list.name, list.value);
		location.assign(to.href);
	}
	list.addEventListener('keydown', function (event) {
		isStep = event.key !== 'Enter';
		if (!isStep) setTimeout(go);
	});
	list.addEventListener('pointerdown', function () { isStep = false; });
	list.addEventListener('change', function () { if (!isStep) go(); });
})();
`;

/** The element; it stands behind its list. @param home  for lists whose values are words of a query there */
export function dropdownElement(home?: string): string {
  return `<script${home === undefined ? '' : ` data-home="${escapeHtml(home)}"`}>${dropdownScript}</script>`;
}
