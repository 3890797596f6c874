"""A report and a pull request → what to post there, what to keep, what to take away.

What to do is planned by pure functions (`sticky.plan`, `threads.plan`); `client` alone speaks with GitHub.
"""
