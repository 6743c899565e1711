// What the server was told and has not answered yet. No drawing here.

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Late answers of the server must not pull the handle back; only a point that it reached by itself
 * (undo, another page) is followed.
 */
export function makeOutbox() {
  let sent = [];
  let said = null;
  return {
    send(point) {
      const last = sent.at(-1) ?? said;
      if (last && same(last, point)) return false;
      sent.push(point);
      return true;
    },
    receive(point) {
      const answered = sent.findIndex((each) => same(each, point)) + 1;
      const follow = !answered && !(said && same(said, point));
      sent = follow ? [] : sent.slice(answered);
      said = point;
      return follow;
    },
  };
}
