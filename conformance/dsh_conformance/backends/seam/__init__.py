"""The small backends behind the older contract: sessions named by id, and a load that repairs.

`store` makes a whole backend of any `storage`, as its namesake outside does for handles.
They write format v0.
"""
