// What people expect of forms, and what neither browsers nor htmx do. Without it forms are sent as they always were.
"use strict";
{
  const unanswered = document.querySelector("#unanswered");

  // Addresses say what was asked, and nothing of what was left blank.
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    for (const [name, value] of [...ctx.request.body]) if (value === "") ctx.request.body.delete(name);
  });

  // An answer that has nothing of what was asked takes nothing away: a page elsewhere (to sign in) is gone to, and of
  // an error it is said that this was not answered.
  const told = (address) => {
    unanswered.querySelector("a").href = address;
    unanswered.hidden = false;
  };
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = event.detail;
    const { status, raw } = ctx.response;
    const blank = !tasks.some((each) => each.type === "main" && each.fragment.childElementCount);
    unanswered.hidden = true;
    if (!blank || (status < 400 && !raw.redirected)) return;
    event.preventDefault();
    if (raw.redirected) location.assign(ctx.request.action);
    else told(ctx.request.action);
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => ctx && told(ctx.request.action));
}
